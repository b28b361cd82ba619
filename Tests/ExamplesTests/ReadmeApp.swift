import APNs
import BelfryKit
import Foundation
import Testing
import VirtualPhone

/// The lines of the README.
final class ReadmeApp: PhoneApp {
    static let manifest = AppManifest(bundleIdentifier: "com.example.Readme", name: "Readme")
    private var kept: (Belfry, Reminders)?
    private(set) var shown: URL?

    func launch(_ application: Application, service: PushServiceAddress?) async throws {
        let reminders = Reminders(application: application)
        let belfry = Belfry(
            service: service, application: application, hooks: Belfry.Hooks(reminders: reminders))
        belfry.onEvent { event in
            if case .opened(let notification, _) = event { self.show(notification.link) }
        }
        belfry.start()
        // When the use is plain to the user, for example on a settings screen:
        _ = try await belfry.permission.request { await self.askNicely() }
        try await reminders.set("pill", at: "09:00:00", ReminderContent(title: "Take the pill"))
        try await reminders.set(
            "water", .every(2, .hours, from: "08:00", to: "20:00", on: .mondayToFriday),
            ReminderContent(title: "Drink"))
        kept = (belfry, reminders)
    }

    private func show(_ link: URL?) { shown = link }
    private func askNicely() async -> Bool { true }
}

@Suite(.timeLimit(.minutes(5))) struct ReadmeAppTests {
    @Test func `the lines of the README remind of the pill and of water, and a tap leads to its link`()
        async throws
    {
        let phone = try VirtualPhone(at: "2027-03-01T07:00", zone: "Europe/Berlin")
        try await phone.install(ReadmeApp.self)
        try await phone.open("com.example.Readme")
        let app = try #require(await phone.app(ReadmeApp.self))
        try await app.launch(try #require(await phone.application("com.example.Readme")), service: nil)
        await phone.goHome()
        try await phone.advance(toNext: "10:00")
        #expect(phone.shownTexts == ["Drink", "Take the pill", "Drink"])
        try await phone.push(
            ["aps": ["alert": "Look"], "link": "https://example.com/7"], to: "com.example.Readme")
        try await phone.tap(try #require(phone.state.list.first).id)
        #expect(await app.shown?.absoluteString == "https://example.com/7")
    }
}
