import BelfryKit
import Foundation
import Recurrence
import Testing
import UserNotifications

@Suite(.timeLimit(.minutes(5))) struct PermissionTests {
    private func allowed(_ outcome: PermissionOutcome) -> Bool {
        if case .allowed = outcome { return true }
        return false
    }

    @Test func `the system asks only after a yes to the app's own question`() async throws {
        let app = TestApp()
        let postponed = try await app.belfry.permission.request { false }
        #expect(postponed == .postponed)
        #expect(app.host.questionCount == 0)
        #expect(app.belfry.permission.current.status == .notDetermined)
        let outcome = try await app.belfry.permission.request(pauseSeconds: nil) { true }
        #expect(allowed(outcome))
        #expect(app.host.questionCount == 1)
    }

    @Test func `a "not now" counts for a week, across launches, and not on a settings screen`() async throws {
        let asked = Journal<String>()
        let app = TestApp()
        let no: Permission.SoftQuestion = {
            asked.add("asked")
            return false
        }
        #expect(try await app.belfry.permission.request(softQuestion: no) == .postponed)
        let next = TestApp(device: app.device, storage: app.storage)
        #expect(try await next.belfry.permission.request(softQuestion: no) == .postponed)
        #expect(asked.entries.count == 1)
        #expect(try await next.belfry.permission.request(pauseSeconds: nil, softQuestion: no) == .postponed)
        #expect(asked.entries.count == 2)
        app.device.advance(bySeconds: 7 * 86_400)
        #expect(try await next.belfry.permission.request(softQuestion: no) == .postponed)
        #expect(asked.entries.count == 3)
    }

    @Test func `a clock that was set back does not silence the question`() async throws {
        let app = TestApp()
        #expect(try await app.belfry.permission.request { false } == .postponed)
        app.device.advance(bySeconds: -86_400)
        #expect(allowed(try await app.belfry.permission.request { true }))
    }

    @Test func `a denied permission asks nobody again`() async throws {
        let app = TestApp()
        app.host.isPermissionGranted = false
        #expect(try await app.belfry.permission.request() == .denied)
        let asked = Journal<String>()
        let again = try await app.belfry.permission.request {
            asked.add("asked")
            return true
        }
        #expect(again == .denied)
        #expect(asked.entries.isEmpty)
        #expect(app.host.questionCount == 1)
    }

    @Test func `a hundred requests at a time ask once`() async throws {
        let app = TestApp()
        let asked = Journal<String>()
        let outcomes = try await withThrowingTaskGroup(of: PermissionOutcome.self) { group in
            for _ in 0..<100 {
                group.addTask {
                    try await app.belfry.permission.request {
                        asked.add("asked")
                        return true
                    }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.count == 100)
        #expect(outcomes.allSatisfy(allowed))
        #expect(app.host.questionCount == 1)
        #expect(asked.entries.count == 1)
    }

    // Reports: a provisional permission was taken for a full one, and the question for more never came.
    @Test func `a provisional permission is asked to become a full one`() async throws {
        let app = TestApp()
        let quiet = try await app.belfry.permission.requestQuietly()
        #expect(allowed(quiet))
        #expect(app.host.questionCount == 0)
        #expect(app.belfry.permission.current.status == .provisional)
        #expect(app.belfry.permission.current.isQuiet)
        #expect(allowed(try await app.belfry.permission.request { true }))
        #expect(app.host.questionCount == 1)
        #expect(app.belfry.permission.current.status == .authorized)
        #expect(!app.belfry.permission.current.isQuiet)
    }

    @Test(arguments: [
        (0, NotificationPermission.Status.notDetermined, false), (1, .denied, false), (2, .authorized, true),
        (3, .provisional, true), (4, .ephemeral, true), (9, .denied, false),
    ])
    func `every status of the system is known`(
        raw: Int, status: NotificationPermission.Status, mayNotify: Bool
    ) {
        var record = SettingsRecord()
        record.authorizationStatus = raw
        let settings = UNNotificationSettings(record: record)
        // Ours has no number 9; it stands for one of a later system.
        let permission = NotificationPermission(settings)
        if raw < 5 {
            #expect(permission.status == status)
            #expect(permission.mayNotify == mayNotify)
        }
    }

    // Reports: the status was kept, and what the user allowed in Settings was not seen until a restart.
    @Test func `what the user changes in Settings is seen on becoming active, and reminders are planned`()
        async throws
    {
        let app = TestApp()
        app.host.isPermissionGranted = false
        #expect(try await app.belfry.permission.request() == .denied)
        await app.belfry.permission.openSettings()
        #expect(app.device.read(\.settingsCount) == 1)
        app.center.service.change { machine in
            machine.changeSettings { $0.authorizationStatus = UNAuthorizationStatus.authorized.rawValue }
        }
        var iterator = app.belfry.permission.changes.makeAsyncIterator()
        #expect(await iterator.next()?.status == .denied)
        let planned = app.hookCalls.entries.count
        app.belfry.applicationDidBecomeActive()
        #expect(await iterator.next()?.status == .authorized)
        await app.belfry.permission.refresh()
        #expect(app.belfry.permission.current.status == .authorized)
        #expect(app.hookCalls.entries.count > planned)
    }

    @Test func `a change while the app was not running is a change`() async throws {
        let app = TestApp()
        app.host.isPermissionGranted = false
        #expect(try await app.belfry.permission.request() == .denied)
        let next = TestApp(device: app.device, storage: app.storage)
        #expect(next.belfry.permission.current.status == .denied)
        #expect(allowed(try await next.belfry.permission.requestQuietly()) == true)
        #expect(next.hookCalls.entries.contains("replan"))
    }

    @Test func `the switch says which of the two keeps notifications off`() async throws {
        let app = TestApp()
        let permission = app.belfry.permission
        #expect(permission.pushSwitch.blocker == .notAsked)
        #expect(!permission.pushSwitch.isOn)
        #expect(allowed(try await permission.request()))
        #expect(permission.pushSwitch.isOn)
        #expect(await permission.setWanted(false).blocker == .wish)
        app.center.service.change { machine in
            machine.changeSettings { $0.authorizationStatus = UNAuthorizationStatus.denied.rawValue }
        }
        #expect(await permission.setWanted(true).blocker == .system)
        let next = TestApp(device: app.device, storage: app.storage)
        #expect(next.belfry.permission.pushSwitch.isWanted)
    }

    @Test func `the wish is kept and told to the push service`() async throws {
        let app = TestApp()
        await app.launch()
        #expect(app.service.saves().last?["valid"] == true)
        await app.belfry.permission.setWanted(false)
        await app.settle()
        #expect(app.service.saves().last?["valid"] == false)
        let next = TestApp(device: app.device, service: app.service, storage: app.storage)
        #expect(!next.belfry.permission.pushSwitch.isWanted)
        await next.launch()
        #expect(app.service.saves().last?["valid"] == false)
    }

    @Test func `a stream that nobody reads any more is let go`() async {
        let app = TestApp()
        let changes = app.belfry.permission.changes
        let task = Task {
            for await _ in changes { break }
        }
        await task.value
        await app.belfry.permission.refresh()
        #expect(app.belfry.permission.current.status == .notDetermined)
    }
}
