import BelfryKit
import Foundation
import Recurrence
import Testing
import UserNotifications

@Suite(.timeLimit(.minutes(5))) struct RegistrationTests {
    @Test func `a launch posts what the push service needs, signed`() async throws {
        let app = TestApp()
        app.device.set { $0.zone = (try? Zone("Asia/Shanghai")) ?? .utc }
        await app.launch(token: [0xAB, 0x01, 0xff])
        let call = try #require(app.service.calls.first)
        #expect(app.service.calls.count == 1)
        #expect(call.path == "/1.1/installations")
        #expect(call.headers["X-LC-Id"] == "app-id")
        let time = String(app.device.now.millisecondsSince1970)
        #expect(call.headers["X-LC-Sign"]?.hasSuffix("," + time) == true)
        #expect(call.headers["X-LC-Key"] == nil)
        #expect(call.body["deviceToken"] == "ab01ff")
        #expect(call.body["deviceType"] == "ios")
        #expect(call.body["apnsTopic"] == "org.example.app")
        #expect(call.body["timeZone"] == "Asia/Shanghai")
        #expect(call.body["localeIdentifier"] == "zh-Hans-CN")
        #expect(call.body["appVersion"] == "2.1")
        #expect(call.body["environment"] == "sandbox")
        #expect(call.body["valid"] == true)
        #expect(call.body["channels"] == [])
        #expect(app.belfry.registration.state.objectID == "0123456789abcdef01234567")
        #expect(!app.belfry.registration.state.isPending)
        #expect(app.device.read(\.openBackgroundTasks) == 0)
    }

    // Reports: tokens were read from `description`, and taken for 32 bytes.
    @Test(arguments: [1, 20, 32, 33, 64, 80, 100])
    func `a token is hexadecimal digits, of any length`(byteCount: Int) async {
        let app = TestApp()
        await app.launch(token: (0..<byteCount).map { UInt8(($0 * 37) & 0xff) })
        let expected = (0..<byteCount).map { index in
            let text = String((index * 37) & 0xff, radix: 16)
            return text.count == 1 ? "0" + text : text
        }.joined()
        #expect(app.service.saves().first?["deviceToken"]?.text == expected)
    }

    @Test func `an empty token is none`() async {
        let app = TestApp()
        await app.launch(token: [])
        #expect(app.service.calls.isEmpty)
        #expect(app.belfry.registration.state.deviceToken == nil)
    }

    @Test func `each launch posts once, changed or not`() async {
        let app = TestApp()
        for count in 1...3 {
            let run = TestApp(device: app.device, service: app.service, storage: app.storage)
            await run.launch()
            #expect(app.service.calls.count == count)
        }
        #expect(Set(app.service.saves().map { $0["installationId"] }).count == 1)
    }

    @Test func `a new token, zone or language is posted, and the same ones are not`() async throws {
        let app = TestApp()
        await app.launch()
        app.belfry.didRegisterForRemoteNotifications(withDeviceToken: Data([0xab, 0x01]))
        app.belfry.applicationDidBecomeActive()
        await app.settle()
        #expect(app.service.calls.count == 1)
        app.belfry.didRegisterForRemoteNotifications(withDeviceToken: Data([0xcd]))
        await app.settle()
        #expect(app.service.saves().last?["deviceToken"] == "cd")
        app.device.set { $0.zone = (try? Zone("America/New_York")) ?? .utc }
        app.belfry.applicationDidBecomeActive()
        await app.settle()
        #expect(app.service.saves().last?["timeZone"] == "America/New_York")
        #expect(app.service.calls.count == 3)
    }

    @Test func `an app that is never launched anew confirms itself once a day`() async {
        let app = TestApp()
        await app.launch()
        app.device.advance(bySeconds: 86_399)
        app.belfry.applicationDidBecomeActive()
        await app.settle()
        #expect(app.service.calls.count == 1)
        app.device.advance(bySeconds: 1)
        app.belfry.applicationDidBecomeActive()
        await app.settle()
        #expect(app.service.calls.count == 2)
    }

    @Test func `a hundred saves at a time are one request at a time, and the last state wins`() async throws {
        let app = TestApp()
        await app.launch()
        app.service.hold()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<100 {
                group.addTask {
                    try app.belfry.registration.setAttributes(["n\(number)": .integer(Int64(number))])
                }
            }
            try await group.waitForAll()
        }
        app.service.release()
        await app.settle()
        #expect(app.service.runningCountMax == 1)
        #expect(app.service.calls.count <= 3, "the launch, what was first, and all the rest")
        let last = try #require(app.service.saves().last)
        for number in 0..<100 { #expect(last["n\(number)"] == .integer(Int64(number))) }
    }

    @Test func `a change while a request is under way is not lost`() async throws {
        let app = TestApp()
        await app.launch()
        app.service.hold()
        try app.belfry.registration.subscribe(to: ["a"])
        while app.service.runningCount == 0 { await Task.yield() }
        try app.belfry.registration.subscribe(to: ["b"])
        app.service.release()
        await app.settle()
        #expect(app.service.saves().last?["channels"] == ["a", "b"])
        #expect(app.service.calls.count == 3)
        #expect(!app.belfry.registration.state.isPending)
    }

    // MARK: Killed

    @Test func `what was changed before the process died is sent at the next launch`() async throws {
        let app = TestApp()
        await app.launch()
        app.service.answer(otherwise: .noNetwork)
        try app.belfry.registration.subscribe(to: ["news"])
        try app.belfry.registration.setAttributes(["level": 7])
        await app.settle()
        #expect(app.belfry.registration.state.isPending)
        let next = TestApp(device: app.device, service: app.service, storage: app.storage)
        app.service.answer(otherwise: .success)
        await next.launch(token: nil)
        #expect(app.service.saves().last?["channels"] == ["news"])
        #expect(app.service.saves().last?["level"] == 7)
        #expect(!next.belfry.registration.state.isPending)
    }

    @Test func `killed after the service saved and before it answered: the same row again`() async throws {
        let app = TestApp()
        app.service.answer(.lostAnswer, otherwise: .noNetwork)
        await app.launch()
        let next = TestApp(device: app.device, service: app.service, storage: app.storage)
        app.service.answer(otherwise: .success)
        await next.launch()
        let saves = app.service.saves()
        #expect(saves.count == 2)
        #expect(saves.first?["installationId"] == saves.last?["installationId"])
    }

    @Test func `killed between signing out and telling it: the service is told at the next launch`()
        async throws
    {
        let app = TestApp()
        await app.launch()
        try app.belfry.registration.signIn(attributes: ["user": "ann"], channels: ["ann"])
        await app.settle()
        app.service.answer(otherwise: .noNetwork)
        try await app.belfry.signOut()
        await app.settle()
        let next = TestApp(device: app.device, service: app.service, storage: app.storage)
        app.service.answer(otherwise: .success)
        await next.launch()
        let last = try #require(app.service.saves().last)
        #expect(last["valid"] == false)
        #expect(last["channels"] == [])
        #expect(last["user"] == ["__op": "Delete"])
        #expect(next.device.read(\.tokenRequestCount) == 1, "nobody is signed in: no token is asked for")
        #expect(!next.belfry.registration.state.isPending)
    }

    // MARK: Users

    // Reports: after signing out, reminders and the token of the user before lived on.
    @Test func `signing out clears reminders, channels, attributes and the token`() async throws {
        let app = TestApp()
        await app.launch()
        try await app.belfry.signIn(attributes: ["user": "ann"], channels: ["ann"])
        await app.settle()
        #expect(app.service.saves().last?["user"] == "ann")
        try await app.belfry.signOut()
        await app.settle()
        #expect(app.hookCalls.entries.filter { $0 == "clear" }.count == 2)
        #expect(app.device.read(\.unregisterCount) == 1)
        let last = try #require(app.service.saves().last)
        #expect(last["valid"] == false)
        #expect(last["channels"] == [])
        #expect(last["user"] == ["__op": "Delete"])
        #expect(app.belfry.registration.state.isSignedOut)
    }

    @Test func `a user who takes over keeps nothing of the one before`() async throws {
        let app = TestApp()
        await app.launch()
        try await app.belfry.signIn(attributes: ["user": "ann", "vip": true], channels: ["ann"])
        await app.settle()
        try await app.belfry.signIn(attributes: ["user": "bob"], channels: ["bob"])
        await app.settle()
        let last = try #require(app.service.saves().last)
        #expect(last["user"] == "bob")
        #expect(last["vip"] == ["__op": "Delete"])
        #expect(last["channels"] == ["bob"])
        #expect(last["valid"] == true)
        try app.belfry.registration.subscribe(to: ["x"])
        await app.settle()
        #expect(app.service.saves().last?["vip"] == nil, "what is deleted is not deleted again")
    }

    @Test func `signing in after signing out asks for a token and is sent to again`() async throws {
        let app = TestApp()
        await app.launch()
        try await app.belfry.signOut()
        await app.settle()
        #expect(app.device.read(\.tokenRequestCount) == 1)
        try await app.belfry.signIn(attributes: ["user": "bob"])
        await app.settle()
        #expect(app.device.read(\.tokenRequestCount) == 2)
        #expect(app.service.saves().last?["valid"] == true)
    }

    @Test func `signing out before there was a token tells nobody anything`() async throws {
        let app = TestApp()
        await app.launch(token: nil)
        try await app.belfry.signOut()
        await app.settle()
        #expect(app.service.calls.isEmpty)
        #expect(!app.belfry.registration.state.isPending)
    }

    @Test func `a backup on a new phone does not take over the old phone's row`() async {
        let app = TestApp()
        await app.launch()
        let phone = TestDevice()
        phone.set { $0.identifier = "vendor-2" }
        let next = TestApp(device: phone, service: app.service, storage: app.storage)
        await next.launch(token: [0xee])
        let ids = app.service.saves().map { $0["installationId"] }
        #expect(ids.count == 2)
        #expect(ids.first != ids.last)
    }

    // MARK: Faults

    @Test func `a network that is not there is tried again, later each time`() async throws {
        let app = TestApp()
        app.service.answer(otherwise: .noNetwork)
        await app.launch()
        var pauses: [Int64] = []
        for _ in 0..<12 {
            let wake = try #require(app.belfry.nextWake)
            let pause = (wake.millisecondsSince1970 - app.device.now.millisecondsSince1970) / 1000
            pauses.append(pause)
            app.device.advance(bySeconds: pause)
            let count = app.service.calls.count
            while app.service.calls.count == count { await Task.yield() }
            await app.settle()
        }
        #expect(pauses == [2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900])
        #expect(app.belfry.registration.state.fault?.code == .offline)
        app.service.answer(otherwise: .success)
        app.belfry.applicationDidBecomeActive()
        await app.settle()
        #expect(app.belfry.registration.state.fault == nil, "coming to the front does not wait")
        #expect(!app.belfry.registration.state.isPending)
    }

    @Test func `retries are spread`() async throws {
        let app = TestApp(random: 0)
        app.service.answer(otherwise: .noNetwork)
        await app.launch()
        let wake = try #require(app.belfry.nextWake)
        #expect(wake == app.device.now.advanced(bySeconds: 1))
    }

    @Test func `the service's own pause is kept`() async throws {
        let app = TestApp()
        app.service.answer(otherwise: .busy(retryAfterSeconds: 120))
        await app.launch()
        #expect(try #require(app.belfry.nextWake) == app.device.now.advanced(bySeconds: 120))
        #expect(app.belfry.registration.state.fault?.code == .service)
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity, -1, 1e300])
    func `a pause that is no time does not end the app`(seconds: Double) async throws {
        let app = TestApp()
        app.service.answer(otherwise: .busy(retryAfterSeconds: seconds))
        await app.launch()
        let wake = try #require(app.belfry.nextWake)
        #expect(wake > app.device.now && wake <= app.device.now.advanced(bySeconds: 86_400))
    }

    @Test(arguments: [400, 401, 403, 404]) func `a refusal is not repeated until something changes`(
        status: Int
    ) async throws {
        let app = TestApp()
        app.service.answer(.status(status, #"{"code":1,"error":"no"}"#))
        await app.launch()
        #expect(app.belfry.registration.state.fault?.code == .refused)
        #expect(app.belfry.nextWake == nil)
        #expect(app.service.calls.count == 1)
        try app.belfry.registration.subscribe(to: ["a"])
        await app.settle()
        #expect(app.service.calls.count == 2)
        #expect(app.belfry.registration.state.fault == nil)
    }

    @Test(arguments: ["<html>sign in</html>", "", "[]", "null"])
    func `a hotel's sign-in page is no answer of the push service`(body: String) async {
        let app = TestApp()
        app.service.answer(.body(body), otherwise: .noNetwork)
        await app.launch()
        #expect(app.belfry.registration.state.isPending)
        #expect(app.belfry.registration.state.fault?.code == .offline)
    }

    @Test(arguments: [
        (NSCocoaErrorDomain, 3000, RegistrationFault.Code.notEntitled, false),
        (NSCocoaErrorDomain, 3010, .simulator, false), ("NSURLErrorDomain", -1009, .offline, true),
        (NSPOSIXErrorDomain, 50, .offline, true), ("Other", 1, .system, true),
    ])
    func `why there is no token reaches the app, and is tried again where that helps`(
        domain: String, number: Int, code: RegistrationFault.Code, isRetried: Bool
    ) async throws {
        let app = TestApp()
        await app.launch(token: nil)
        app.belfry.didFailToRegisterForRemoteNotifications(withError: NSError(domain: domain, code: number))
        await app.settle()
        #expect(app.belfry.registration.state.fault?.code == code)
        #expect(app.belfry.registration.state.fault?.isRetried == isRetried)
        #expect((app.belfry.nextWake != nil) == isRetried)
        guard isRetried else { return }
        app.device.advance(bySeconds: 2)
        while app.device.read(\.tokenRequestCount) == 1 { await Task.yield() }
        app.belfry.didRegisterForRemoteNotifications(withDeviceToken: Data([1]))
        await app.settle()
        #expect(app.belfry.registration.state.fault == nil)
        #expect(app.service.calls.count == 1)
    }

    // MARK: Bad input

    @Test(arguments: ["", "a b", "a.b", "news!", "é", String(repeating: "a", count: 513)])
    func `a channel that the service would refuse is refused at once`(name: String) {
        let app = TestApp()
        #expect(throws: BelfryKitError.self) { try app.belfry.registration.subscribe(to: ["good", name]) }
        #expect(app.belfry.registration.channels.isEmpty)
    }

    @Test(arguments: ["", "1a", "_a", "a-b", "a.b", "$set", "deviceToken", "objectId", "channels", "valid"])
    func `an attribute that the service would refuse is refused at once`(name: String) {
        let app = TestApp()
        #expect(throws: BelfryKitError.self) { try app.belfry.registration.setAttributes([name: 1]) }
        #expect(app.belfry.registration.attributes.isEmpty)
    }

    @Test func `names in Chinese are channels`() throws {
        let app = TestApp()
        try app.belfry.registration.subscribe(to: ["新闻", "a-b_c=1"])
        #expect(app.belfry.registration.channels.count == 2)
        try app.belfry.registration.unsubscribe(from: ["新闻", "unknown"])
        #expect(app.belfry.registration.channels == ["a-b_c=1"])
    }

    @Test func `what was kept by another version and cannot be read is begun anew`() async {
        let storage = MemoryStorage()
        for key in ["belfry.registration", "belfry.permission", "belfry.opens"] {
            storage.setData(Data("{\"a\":".utf8), forKey: key)
        }
        let app = TestApp(storage: storage)
        await app.launch()
        #expect(app.service.calls.count == 1)
    }
}
