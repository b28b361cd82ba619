import APNs
import Foundation
import Recurrence
import Testing
import UserNotifications

@testable import VirtualPhone

@Suite(.timeLimit(.minutes(5))) struct TimeTests {
    static func schedule(
        _ bench: Bench, _ identifier: String, hour: Int, minute: Int = 0, repeats: Bool = true
    ) async throws {
        let content = UNMutableNotificationContent()
        content.title = identifier
        content.body = identifier
        content.sound = .default
        let trigger = UNCalendarNotificationTrigger(
            dateMatching: DateComponents(hour: hour, minute: minute), repeats: repeats)
        try await bench.phone.notificationCenter(of: Bench.app).add(
            UNNotificationRequest(identifier: identifier, content: content, trigger: trigger))
    }

    @Test func `a local notification comes at its time, whether the app runs or not`() async throws {
        let bench = try await Bench()
        try await Self.schedule(bench, "nine", hour: 9)
        try await bench.phone.forceQuit(Bench.app)
        await bench.phone.advance(days: 3)
        #expect(
            bench.phone.journal(.banner).map(\.time) == [
                "2027-03-01T09:00:00", "2027-03-02T09:00:00", "2027-03-03T09:00:00",
            ])
        #expect(bench.bodies == ["nine"])
    }

    @Test func `a phone that travels has its nine o'clock there`() async throws {
        let bench = try await Bench()
        try await Self.schedule(bench, "nine", hour: 9)
        try await bench.phone.advance(toNext: "09:00")
        try await bench.phone.setZone("Europe/London")
        await bench.phone.advance(days: 1)
        #expect(bench.phone.journal(.sound).map(\.time) == ["2027-03-01T09:00:00", "2027-03-01T09:00:00"])
    }

    @Test func `the next time of day is today or tomorrow, across a change of the clocks`() async throws {
        let phone = try VirtualPhone(at: "2027-03-13T08:00", zone: "America/New_York")
        try await phone.advance(toNext: "09:00")
        #expect(phone.state.time == "2027-03-13T09:00:00")
        try await phone.advance(toNext: "09:00")
        #expect(phone.state.time == "2027-03-14T09:00:00")
        let before = phone.now
        await phone.advance(to: before.advanced(bySeconds: -3600))
        #expect(phone.now == before)
        for text in ["9:75", "soon", "", "25:00"] {
            let error = await #expect(throws: PhoneError.self) { try await phone.advance(toNext: text) }
            #expect(error?.code == .value)
        }
    }

    @Test func `times and zones that are none are refused`() {
        #expect(throws: PhoneError.self) { try VirtualPhone(at: "yesterday", zone: "UTC") }
        #expect(throws: PhoneError.self) { try VirtualPhone(at: "2027-03-01T08:00", zone: "Mars/Base") }
    }

    @Test func `a background refresh comes when the app asked for it, and 30 s are all it gets`() async throws
    {
        let bench = try await Bench(
            behaviour: Behaviour(refresh: { application in
                application.submitBackgroundRefresh(earliestBegin: application.now.advanced(bySeconds: 3600))
            }))
        let application = try #require(await bench.phone.application(Bench.app))
        #expect(application.submitBackgroundRefresh(earliestBegin: bench.phone.now.advanced(bySeconds: 3600)))
        try await bench.bring(to: .suspended)
        await bench.phone.advance(by: .seconds(3 * 3600))
        #expect(bench.story.take() == ["refresh background", "refresh background", "refresh background"])
        #expect(bench.phone.state.app(Bench.app)?.state == .suspended)
        try await bench.phone.forceQuit(Bench.app)
        _ = bench.story.take()
        await bench.phone.advance(by: .seconds(3 * 3600))
        #expect(bench.story.take() == [])
    }

    @Test func `without the mode, in low power and when the user forbids it there is no refresh`()
        async throws
    {
        let bench = try await Bench()
        try await bench.bring(to: .suspended)
        try bench.phone.setBackgroundRefresh(false, for: Bench.app)
        try await bench.phone.refreshInBackground(Bench.app)
        try bench.phone.setBackgroundRefresh(true, for: Bench.app)
        await bench.phone.setLowPower(true)
        try await bench.phone.refreshInBackground(Bench.app)
        #expect(bench.story.take() == [])
        await bench.phone.setLowPower(false)
        try await bench.phone.refreshInBackground(Bench.app)
        #expect(bench.story.take() == ["refresh background"])
        var manifest = TestApp.manifest
        manifest.backgroundModes = []
        let other = try await Bench(manifest: manifest)
        let application = try #require(await other.phone.application(Bench.app))
        #expect(!application.submitBackgroundRefresh(earliestBegin: other.phone.now))
    }

    @Test func `an app that leaves the front is suspended after five seconds, later with a background task`()
        async throws
    {
        let bench = try await Bench()
        await bench.phone.goHome()
        await bench.phone.advance(by: .milliseconds(4_999))
        #expect(bench.phone.state.app(Bench.app)?.state == .background)
        await bench.phone.advance(by: .milliseconds(1))
        #expect(bench.phone.state.app(Bench.app)?.state == .suspended)

        try await bench.phone.open(Bench.app)
        let application = try #require(await bench.phone.application(Bench.app))
        let task = application.beginBackgroundTask()
        await bench.phone.goHome()
        await bench.phone.advance(by: .seconds(20))
        #expect(bench.phone.state.app(Bench.app)?.state == .background)
        application.endBackgroundTask(task)
        #expect(bench.phone.state.app(Bench.app)?.state == .suspended)
    }

    @Test func `what an app of an ended process asks for has no effect`() async throws {
        let bench = try await Bench()
        let application = try #require(await bench.phone.application(Bench.app))
        try await bench.phone.crash(Bench.app)
        _ = bench.story.take()
        application.registerForRemoteNotifications()
        #expect(application.beginBackgroundTask() == 0)
        #expect(application.isTerminated)
        await #expect(throws: CancellationError.self) { try await application.sleep(seconds: 1) }
        await bench.phone.settle()
        #expect(bench.story.take() == [])
    }

    @Test func `a moment that an app waits for comes with the clock, and work it is busy with is waited for`()
        async throws
    {
        let bench = try await Bench()
        let application = try #require(await bench.phone.application(Bench.app))
        let story = bench.story
        _ = story.take()
        let moment = bench.phone.now.advanced(bySeconds: 60)
        let task = Task {
            await application.wait(until: moment)
            story.add("waited until \(application.now == moment)")
            await application.whileBusy {
                // Far more turns than a phone at rest waits for.
                for _ in 0..<1_000 { await Task.yield() }
                story.add("done")
            }
        }
        await bench.phone.wait { _ in true }
        while bench.phone.sleeperCount == 0 { await Task.yield() }
        await bench.phone.advance(by: .seconds(59))
        #expect(story.all == [])
        await bench.phone.advance(by: .seconds(1))
        await task.value
        #expect(story.all == ["waited until true", "done"])
        let first = application.identifierForVendor
        #expect(first.count == 36)
        try await bench.phone.reinstall(Bench.app)
        try await bench.phone.open(Bench.app)
        #expect(try #require(await bench.phone.application(Bench.app)).identifierForVendor != first)
        #expect(application.identifierForVendor == "")
    }

    @Test func `the same story has the same journal`() async throws {
        func story() async throws -> [String] {
            let bench = try await Bench()
            try await bench.bring(to: .suspended)
            try await Self.schedule(bench, "nine", hour: 9)
            try await Self.schedule(bench, "ten", hour: 10)
            for day in 0..<10 {
                await bench.phone.advance(days: 1)
                try await bench.push("Day \(day)", extra: ["badge": 1])
                try await bench.pushSilently(Int64(day))
                if day == 5 { try await bench.phone.tap(try #require(bench.phone.state.list.first).id) }
            }
            return bench.phone.journal.map(\.description)
        }
        let first = try await story()
        #expect(first.count > 60)
        let second = try await story()
        #expect(second.difference(from: first).map { "\($0)" } == [])
    }

    @Test func `ninety days with ten reminders end where they should`() async throws {
        let bench = try await Bench("2027-01-01T00:00", zone: "Asia/Shanghai")
        var others: [String] = []
        for number in 0..<2 {
            // Sixty-four is the most of one app.
            var manifest = TestApp.manifest
            manifest.bundleIdentifier = "com.example.App\(number)"
            others.append(manifest.bundleIdentifier)
            let story = bench.story
            try await bench.phone.install(manifest) { TestApp(story: story, behaviour: Behaviour()) }
            try await bench.phone.open(manifest.bundleIdentifier)
            let center = try bench.phone.notificationCenter(of: manifest.bundleIdentifier)
            for index in 0..<5 {
                let content = UNMutableNotificationContent()
                content.body = "Reminder \(index)"
                let trigger = UNCalendarNotificationTrigger(
                    dateMatching: DateComponents(hour: index * 5, minute: index), repeats: true)
                try await center.add(
                    UNNotificationRequest(identifier: "\(index)", content: content, trigger: trigger))
            }
        }
        await bench.phone.goHome()
        await bench.phone.lock()
        let start = ContinuousClock.now
        await bench.phone.advance(days: 90)
        let duration = ContinuousClock.now - start
        #expect(bench.phone.journal(.lockScreen).count == 90 * 10)
        #expect(bench.phone.state.list.count == 10)
        // Information only: no test depends on how fast the machine is.
        print("90 days of 10 reminders: \(duration)")
    }
}
