import BelfryKit
import Foundation
import Recurrence
import Testing
import VirtualPhone
import WashHands

/// What the guides under docs show, compiled and run.
@Suite(.timeLimit(.minutes(5))) struct GuideTests {
    /// Tests/ExamplesTests/GuideTests.swift is three steps down.
    private static let root: URL = (0..<3).reduce(URL(fileURLWithPath: #filePath)) { url, _ in
        url.deletingLastPathComponent()
    }

    // MARK: docs/test-notifications-on-linux-ci.md

    @Test func `hands are washed on working days only`() async throws {
        let phone = try VirtualPhone(at: "2027-03-05T17:00", zone: "Europe/Berlin")
        try await phone.install(WashHandsApp.self)
        try await phone.open("com.example.WashHands")
        let screen = try #require(await phone.app(WashHandsApp.self)?.screen)
        await screen.choose(WashHandsSettings())
        try await phone.forceQuit("com.example.WashHands")
        await phone.advance(days: 3)
        #expect(
            phone.journal(.banner).map(\.time) == [
                "2027-03-05T18:00:00", "2027-03-05T20:00:00",
                "2027-03-08T08:00:00", "2027-03-08T10:00:00", "2027-03-08T12:00:00", "2027-03-08T14:00:00",
                "2027-03-08T16:00:00",
            ])
    }

    @Test func `a file that Apple's simulator takes is shown, and answered`() async throws {
        let server = ChatApp.Server()
        let phone = try VirtualPhone(at: "2027-03-01T08:00", zone: "UTC")
        try await phone.install(ChatApp.manifest) { ChatApp(server) }
        try await phone.open("com.example.Chat")
        _ = try await phone.app(ChatApp.self)?.belfry?.permission.request()
        await phone.goHome()
        let file = Self.root.appendingPathComponent("Tests/ExamplesTests/message.apns")
        try await phone.push(file: Array(Data(contentsOf: file)))
        try await phone.act(try #require(phone.state.list.first).id, action: "reply", text: "On my way")
        #expect(server.sent == ["Ann: On my way"])
    }

    // MARK: docs/reminders-that-survive-daylight-saving.md

    private func reminders(_ phone: VirtualPhone) async throws -> Reminders {
        try await phone.install(WashHandsApp.self)
        try await phone.open("com.example.WashHands")
        let app = try #require(await phone.app(WashHandsApp.self))
        _ = try await app.belfry?.permission.request()
        return Reminders(application: try #require(await phone.application("com.example.WashHands")))
    }

    @Test func `each rule of the guide is taken`() async throws {
        let phone = try VirtualPhone(at: "2027-03-27T12:00", zone: "Europe/Berlin")
        defer { withExtendedLifetime(phone) {} }
        let reminders = try await reminders(phone)
        try await reminders.set("pill", .daily(at: "09:00"), ReminderContent(title: "Take the pill"))
        try await reminders.set(
            "rent", .monthly(on: .last, at: "18:30"), ReminderContent(title: "Pay the rent"))
        try await reminders.set(
            "hands", .every(2, .hours, from: "22:00", to: "06:00", on: .mondayToFriday),
            ReminderContent(title: "Wash your hands"))
        try await reminders.set(
            "call", .text("every 2 weeks on tue at 10:00"), ReminderContent(title: "Call"))
        let night = try ReminderSchedule.daily(at: "02:30")
        try await reminders.set("skipped", night.gap(.skip), ReminderContent(title: "Skipped"))
        try await reminders.set(
            "meeting", night.inZone(.fixed(Zone("Europe/Berlin"))), ReminderContent(title: "Meeting"))
        #expect(
            try await reminders.preview("skipped", 1).map(\.localISO8601) == ["2027-03-29T02:30:00+02:00"])
        #expect(
            try await reminders.preview("meeting", 1).map(\.localISO8601) == ["2027-03-28T03:30:00+02:00"])
        let report = try await reminders.set(
            "walk", .every(3, .days, at: "17:00"), ReminderContent(title: "Walk"))
        if let date = report.firstMissing { print("Open the app before \(date.iso8601)") }
        #expect(report["pill"]?.horizon == .endless)
        guard case .until? = report["walk"]?.horizon else {
            Issue.record("found \(String(describing: report["walk"]))")
            return
        }
        #expect(report.firstMissing != nil)
    }

    @Test func `nine o'clock is nine o'clock on the day of the change`() async throws {
        let phone = try VirtualPhone(at: "2027-03-27T12:00", zone: "Europe/Berlin")
        let reminders = try await reminders(phone)
        try await reminders.set("pill", at: "09:00:00", ReminderContent(title: "Take the pill"))
        await phone.goHome()
        await phone.advance(days: 2)
        #expect(phone.shownTimes == ["03-28 09:00", "03-29 09:00"])
    }

    // MARK: The guides

    /// A block that follows `<!-- source: PATH -->` has to stand in that file, line by line and in this order.
    @Test(arguments: [
        "docs/test-notifications-on-linux-ci.md", "docs/reminders-that-survive-daylight-saving.md",
        "README.md",
        "Sources/BelfryKit/BelfryKit.docc/BelfryKit.md",
    ])
    func `each block of a guide stands in the source it names`(guide: String) throws {
        let text = try String(contentsOf: Self.root.appendingPathComponent(guide), encoding: .utf8)
        let parts = text.components(separatedBy: "<!-- source: ").dropFirst()
        #expect(!parts.isEmpty)
        for part in parts {
            let pieces = part.components(separatedBy: " -->\n```")
            let block = try #require(pieces.dropFirst().first?.components(separatedBy: "```").first)
            let path = try #require(pieces.first)
            let source = try String(contentsOf: Self.root.appendingPathComponent(path), encoding: .utf8)
            var lines = Self.lines(source)[...]
            for line in Self.lines(block).dropFirst() {
                let place = lines.firstIndex(of: line)
                #expect(place != nil, "\(guide): '\(line)' does not follow in \(path)")
                if let place { lines = lines[(place + 1)...] }
            }
        }
    }

    private static func lines(_ text: String) -> [String] {
        text.components(separatedBy: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter {
            !$0.isEmpty
        }
    }
}
