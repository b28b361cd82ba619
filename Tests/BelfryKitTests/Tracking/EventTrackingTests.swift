import BelfryKit
import Foundation
import Testing
import UserNotifications

@Suite(.timeLimit(.minutes(5))) struct EventTrackingTests {
    private func events(_ app: TestApp) -> [PayloadValue] {
        app.service.calls.filter { $0.path == "/1.1/events" }.flatMap { call -> [PayloadValue] in
            guard case .array(let events)? = call.body["events"] else { return [] }
            return events
        }
    }

    @Test func `an event is told with its article, tags, properties and time`() async throws {
        let app = TestApp()
        await app.launch()
        try app.belfry.events.record(
            "read", article: "final", tags: ["sports", "网球"], properties: ["seconds": 40])
        try app.belfry.events.record("shared")
        await app.settle()
        let told = events(app)
        #expect(told.count == 2 && app.belfry.events.pendingCount == 0)
        #expect(told.first?["name"] == "read" && told.first?["article"] == "final")
        #expect(told.first?["tags"] == ["sports", "网球"])
        #expect(told.first?["properties"] == ["seconds": 40])
        #expect(told.first?["installation"] == "0123456789abcdef01234567")
        #expect(told.first?["at"]?.text?.hasSuffix("Z") == true)
        #expect(told.last?["article"] == nil && told.last?["tags"] == nil && told.last?["properties"] == nil)
    }

    @Test func `without a network events wait, through the end of the process, and the same twice are two`()
        async throws
    {
        let app = TestApp()
        app.service.answer(otherwise: .noNetwork)
        await app.launch()
        for _ in 0..<2 { try app.belfry.events.record("read", article: "final") }
        app.belfry.opens.record(pushID: "p1")
        await app.settle()
        #expect(app.belfry.events.pendingCount == 2 && app.belfry.opens.pendingCount == 1)
        let next = TestApp(device: app.device, service: app.service, storage: app.storage)
        app.service.answer(otherwise: .success)
        await next.launch()
        #expect(events(next).suffix(2).map { $0["article"] } == ["final", "final"])
        #expect(next.belfry.events.pendingCount == 0 && next.belfry.opens.pendingCount == 0)
    }

    @Test func `many events push out neither opens nor each other's newest`() async throws {
        let app = TestApp()
        app.service.answer(otherwise: .noNetwork)
        await app.launch()
        app.belfry.opens.record(pushID: "p1")
        for number in 0..<600 { try app.belfry.events.record("read", article: "a\(number)") }
        await app.settle()
        #expect(app.belfry.events.pendingCount == 500 && app.belfry.opens.pendingCount == 1)
        app.service.answer(otherwise: .success)
        let before = events(app).count
        app.belfry.applicationDidBecomeActive()
        await app.settle()
        let told = events(app).dropFirst(before)
        #expect(told.count == 500 && told.last?["article"] == "a599")
        #expect(app.belfry.opens.pendingCount == 0)
    }

    // The service refuses a whole request for one event that is too old.
    @Test func `what waited for longer than the service takes goes, and the rest is told`() async throws {
        let app = TestApp()
        app.service.answer(otherwise: .noNetwork)
        await app.launch()
        try app.belfry.events.record("read", article: "old")
        await app.settle()
        app.device.advance(bySeconds: 29 * 86_400 + 1)
        app.service.answer(otherwise: .success)
        try app.belfry.events.record("read", article: "new")
        app.belfry.applicationDidBecomeActive()
        await app.settle()
        #expect(events(app).last?["article"] == "new" && app.belfry.events.pendingCount == 0)
        let told = app.service.calls.last { $0.path == "/1.1/events" }?.body["events"]
        guard case .array(let last)? = told else {
            Issue.record("found nothing")
            return
        }
        #expect(last.count == 1)
    }

    @Test(arguments: [true, false]) func `what one user did is not told of the next`(
        signsOut: Bool
    ) async throws {
        let app = TestApp()
        app.service.answer(otherwise: .noNetwork)
        await app.launch()
        try app.belfry.events.record("read", article: "private")
        app.belfry.opens.record(pushID: "p1")
        await app.settle()
        if signsOut {
            try await app.belfry.signOut()
        } else {
            try await app.belfry.signIn(attributes: ["user": "bob"])
        }
        #expect(app.belfry.events.pendingCount == 0 && app.belfry.opens.pendingCount == 1)
        let next = TestApp(device: app.device, service: app.service, storage: app.storage)
        #expect(next.belfry.events.pendingCount == 0)
    }

    @Test func `a service that knows no events does not hold up opens`() async throws {
        let app = TestApp()
        await app.launch()
        app.service.answer(.status(404, "{}"), otherwise: .success)
        try app.belfry.events.record("read")
        await app.settle()
        #expect(app.belfry.events.pendingCount == 0)
        app.belfry.opens.record(pushID: "p1")
        await app.settle()
        #expect(app.belfry.opens.pendingCount == 0)
    }

    @Test(
        arguments: [
            ("", nil, [], [:], "name"),
            (String(repeating: "n", count: 65), nil, [], [:], "name"),
            ("read", "", [], [:], "article"),
            ("read", String(repeating: "a", count: 65), [], [:], "article"),
            ("read", nil, ["a.b"], [:], "tags"),
            ("read", nil, [""], [:], "tags"),
            ("read", nil, (0..<33).map { "t\($0)" }, [:], "tags"),
            ("read", nil, [], ["text": .string(String(repeating: "x", count: 2048))], "properties"),
            ("read", nil, [], ["share": .number(.infinity)], "properties"),
        ] as [(String, String?, [String], [String: PayloadValue], String)])
    func `what the service would refuse is refused at once`(
        name: String, article: String?, tags: [String], properties: [String: PayloadValue], field: String
    ) async throws {
        let app = TestApp()
        let error = #expect(throws: BelfryKitError.self) {
            try app.belfry.events.record(name, article: article, tags: tags, properties: properties)
        }
        #expect(error?.code == .invalidArgument)
        #expect(error?.message.hasPrefix(field) == true)
        #expect(app.belfry.events.pendingCount == 0)
    }
}
