import BelfryKit
import Foundation
import Recurrence
import Testing
import UserNotifications

@Suite(.timeLimit(.minutes(5))) struct OpenTrackingTests {
    private func opens(_ app: TestApp) -> [PayloadValue] {
        app.service.calls.filter { $0.path == "/1.1/stats/open/collect" }.map(\.body)
    }

    private func push(_ app: TestApp, _ identifier: String) async throws {
        try await app.push(#"{"aps":{"alert":"x"}}"#, identifier: identifier)
        app.host.link?.tap(identifier)
        await app.settle()
    }

    @Test func `an open is reported with the push's and the device's id`() async throws {
        let app = TestApp()
        _ = try await app.belfry.permission.request()
        await app.launch()
        try await push(app, "AAAAbbbbCCCC0001")
        let body = try #require(opens(app).first)
        #expect(body["installation"] == "0123456789abcdef01234567")
        guard case .array(let events)? = body["events"] else {
            Issue.record("found \(body)")
            return
        }
        #expect(events.count == 1)
        #expect(events.first?["attributes"]?["notificationId"] == "AAAAbbbbCCCC0001")
        #expect(app.belfry.opens.pendingCount == 0)
    }

    // Reports: opens were counted only while the app was running, because the app's screens counted them.
    @Test func `an open counts before the app has a handler, and when the process dies right after`()
        async throws
    {
        let app = TestApp()
        _ = try await app.belfry.permission.request()
        app.service.answer(otherwise: .noNetwork)
        await app.launch()
        try await push(app, "AAAAbbbbCCCC0001")
        #expect(app.belfry.opens.pendingCount == 1)
        let next = TestApp(device: app.device, service: app.service, storage: app.storage)
        app.service.answer(otherwise: .success)
        await next.launch()
        #expect(opens(app).count == 1)
        #expect(next.belfry.opens.pendingCount == 0)
    }

    @Test func `a tap that starts the app counts before the device is registered`() async throws {
        let app = TestApp()
        _ = try await app.belfry.permission.request()
        try await push(app, "AAAAbbbbCCCC0001")
        #expect(opens(app).isEmpty)
        #expect(app.belfry.opens.pendingCount == 1)
        await app.launch()
        #expect(opens(app).count == 1)
    }

    @Test func `the same push counts once, across launches`() async throws {
        let app = TestApp()
        await app.launch()
        app.belfry.opens.record(pushID: "p1")
        app.belfry.opens.record(pushID: "p1")
        await app.settle()
        let next = TestApp(device: app.device, service: app.service, storage: app.storage)
        await next.launch()
        next.belfry.opens.record(pushID: "p1")
        await next.settle()
        #expect(opens(app).count == 1)
    }

    @Test func `killed after the service counted and before it answered: reported again, counted there once`()
        async throws
    {
        let app = TestApp()
        await app.launch()
        app.service.answer(.lostAnswer, otherwise: .noNetwork)
        app.belfry.opens.record(pushID: "p1")
        await app.settle()
        let next = TestApp(device: app.device, service: app.service, storage: app.storage)
        app.service.answer(otherwise: .success)
        await next.launch()
        #expect(opens(app).count == 2)
        #expect(Set(opens(app).map { $0["events"] }).count == 1, "the same, so that the service knows it")
    }

    @Test func `clearing a push is no open, and neither is a tap on the app's own reminder`() async throws {
        let app = TestApp()
        await app.launch()
        let remote = ReceivedNotification(identifier: "p1", source: .remote, date: app.device.now)
        let local = ReceivedNotification(identifier: "p2", source: .local, date: app.device.now)
        app.belfry.router.receive(ReceivedResponse(notification: remote, gesture: .dismiss))
        app.belfry.router.receive(ReceivedResponse(notification: local, gesture: .tap))
        await app.settle()
        #expect(opens(app).isEmpty)
        app.belfry.router.receive(
            ReceivedResponse(notification: remote, gesture: .action("reply", userText: "x")))
        await app.settle()
        #expect(opens(app).count == 1)
    }

    @Test func `many opens without a network are kept up to a bound and sent in portions`() async throws {
        let app = TestApp()
        await app.launch()
        app.service.answer(otherwise: .noNetwork)
        for number in 0..<600 { app.belfry.opens.record(pushID: "p\(number)") }
        await app.settle()
        #expect(app.belfry.opens.pendingCount == 500)
        app.service.answer(otherwise: .success)
        let before = opens(app).count
        app.belfry.applicationDidBecomeActive()
        await app.settle()
        #expect(app.belfry.opens.pendingCount == 0)
        let sizes = opens(app).dropFirst(before).map { body -> Int in
            guard case .array(let events)? = body["events"] else { return 0 }
            return events.count
        }
        #expect(sizes == [Int](repeating: 50, count: 10))
    }

    @Test(arguments: [(400, 0), (401, 1), (403, 1), (500, 1), (429, 1)])
    func `what the service will never take is let go, and nothing else is`(status: Int, pending: Int) async {
        let app = TestApp()
        await app.launch()
        app.service.answer(otherwise: .status(status, "{}"))
        app.belfry.opens.record(pushID: "p1")
        await app.settle()
        #expect(app.belfry.opens.pendingCount == pending)
        #expect(app.device.read(\.reported).contains { $0.code == .service })
    }

    @Test func `an extension's receipts wait for a network in the group's storage`() async throws {
        let shared = MemoryStorage()
        let app = TestApp(sharedStorage: shared)
        func receipts() -> DeliveryReceipts {
            DeliveryReceipts(
                service: TestApp.address, sharedStorage: shared, transport: app.service, time: app.device)
        }
        func push(_ id: String) -> ReceivedNotification {
            ReceivedNotification(identifier: id, source: .remote, date: app.device.now)
        }
        #expect(await receipts().report(push("p1")) == false, "the app has not registered yet")
        await app.launch()
        app.service.answer(otherwise: .noNetwork)
        #expect(await receipts().report(push("p2")) == false)
        app.service.answer(otherwise: .success)
        #expect(await receipts().report(push("p2")))
        let bodies = app.service.calls.filter { $0.path.hasSuffix("/events") }.map(\.body)
        guard case .array(let events)? = bodies.last?["events"] else {
            Issue.record("found \(bodies)")
            return
        }
        #expect(events.map { $0["article"] } == ["p1", "p2"])
        #expect(events.allSatisfy { $0["name"] == "push.delivered" })
        #expect(events.allSatisfy { $0["installation"] == "0123456789abcdef01234567" })
        #expect(receipts().pendingCount == 0)
    }

    private func receipts(_ app: TestApp) -> [PayloadValue] {
        app.service.calls.filter { $0.path.hasSuffix("/events") }.flatMap { call -> [PayloadValue] in
            guard case .array(let events)? = call.body["events"] else { return [] }
            return events
        }
    }

    @Test(arguments: [true, false]) func `what reaches the app is reported as received, where that is wanted`(
        isWanted: Bool
    ) async throws {
        let app = TestApp(reportsReceipts: isWanted)
        _ = try await app.belfry.permission.request()
        await app.launch()
        app.host.surroundings.isForeground = true
        // In front, twice, and silently; a push that names none cannot be reported.
        try await app.push(#"{"aps":{"alert":"x"}}"#, identifier: "AAAAbbbbCCCC0001")
        try await app.push(#"{"aps":{"alert":"x"}}"#, identifier: "AAAAbbbbCCCC0001")
        _ = await app.belfry.didReceiveRemoteNotification([
            "aps": ["content-available": 1], "notificationId": "p2",
        ])
        _ = await app.belfry.didReceiveRemoteNotification(["aps": ["content-available": 1]])
        await app.settle()
        #expect(receipts(app).map { $0["article"] } == (isWanted ? ["AAAAbbbbCCCC0001", "p2"] : []))
        #expect(opens(app).isEmpty && app.belfry.opens.pendingCount == 0)
    }

    @Test func `a service that knows no receipts does not keep opens waiting`() async throws {
        let app = TestApp(reportsReceipts: true)
        await app.launch()
        app.service.answer(.status(404, "{}"))
        _ = await app.belfry.didReceiveRemoteNotification(["notificationId": "p1"])
        await app.settle()
        app.belfry.opens.record(pushID: "p1")
        await app.settle()
        #expect(receipts(app).count == 1 && opens(app).count == 1)
        #expect(app.belfry.opens.pendingCount == 0)
    }
}
