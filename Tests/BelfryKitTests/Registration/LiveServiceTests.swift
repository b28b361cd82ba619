import BelfryKit
import Foundation
import Recurrence
import Testing
import UserNotifications

/// The library against a real push service.
@Suite(.timeLimit(.minutes(5)), .enabled(if: LiveService.binary != nil)) struct LiveServiceTests {
    @Test func `a device registers, opens a push, changes user and signs out, and the service has it all`()
        async throws
    {
        let live = try LiveService(topic: "org.example.app")
        let device = TestDevice()
        // The service takes events of the last days only.
        device.set { $0.now = SystemTime().now }
        let host = VirtualNotificationHost(now: device.now, zone: .utc)
        let storage = MemoryStorage()
        let shared = MemoryStorage()
        let belfry = Belfry(
            service: live.address, center: UNUserNotificationCenter(host: host), platform: device,
            transport: LiveTransport(), storage: storage, sharedStorage: shared, time: device)
        let token = Data((0..<32).map { UInt8($0) })
        device.set {
            $0.onTokenRequest = { belfry.didRegisterForRemoteNotifications(withDeviceToken: token) }
        }
        await belfry.start()
        await belfry.settle()
        #expect(belfry.registration.state.fault == nil)
        let objectID = try #require(belfry.registration.state.objectID)

        try await belfry.signIn(attributes: ["user": "ann", "level": 3], channels: ["news", "体育"])
        await belfry.settle()
        var row = try await live.master("GET", "1.1/installations/\(objectID)")
        #expect(row["deviceToken"]?.text?.hasPrefix("000102") == true)
        #expect(row["apnsTopic"] == "org.example.app")
        #expect(row["environment"] == "sandbox")
        #expect(row["localeIdentifier"] == "zh-Hans-CN")
        #expect(row["user"] == "ann")
        #expect(row["valid"] == true)
        guard case .array(let channels)? = row["channels"] else {
            Issue.record("found \(row)")
            return
        }
        #expect(Set(channels) == ["news", "体育"])

        let push = try await live.master("POST", "1.1/push", ["data": ["alert": "hi"], "prod": "dev"])
        let pushID = try #require(push["objectId"]?.text)
        let note = ReceivedNotification(identifier: pushID, source: .remote, date: device.now, body: "hi")
        #expect(note.pushID == pushID, "the default collapse id is the push's id, in a form that is known")
        for _ in 0..<3 {
            belfry.router.receive(ReceivedResponse(notification: note, gesture: .tap))
            belfry.opens.record(pushID: pushID)
        }
        await belfry.settle()
        #expect(belfry.opens.pendingCount == 0)
        let record = try await live.master("GET", "1.1/notifications/\(pushID)")
        #expect(record["opens"] == 1)

        let receipts = DeliveryReceipts(
            service: live.address, sharedStorage: shared, transport: LiveTransport(), time: device)
        #expect(await receipts.report(note))

        // As large as the library lets an event be: the service takes it.
        let article = String(repeating: "a", count: 64)
        try belfry.events.record(
            String(repeating: "n", count: 64), article: article,
            tags: (10..<42).map { String(repeating: "t", count: 62) + "\($0)" },
            properties: ["text": .string(String(repeating: "x", count: 2037))])
        await belfry.settle()
        #expect(belfry.events.pendingCount == 0)
        #expect(device.read(\.reported).filter { $0.code == .service } == [])

        try await belfry.signIn(attributes: ["user": "bob"])
        await belfry.settle()
        row = try await live.master("GET", "1.1/installations/\(objectID)")
        #expect(row["user"] == "bob")
        #expect(row["level"] == nil)
        #expect(row["channels"] == nil)

        try await belfry.signOut()
        await belfry.settle()
        row = try await live.master("GET", "1.1/installations/\(objectID)")
        #expect(row["user"] == nil)
        #expect(row["valid"] == false)
        #expect(belfry.registration.state.fault == nil)
    }

    @Test func `a wrong key is a refusal that names itself`() async throws {
        let live = try LiveService(topic: "org.example.app")
        var address = live.address
        address.applicationKey = "wrong"
        let device = TestDevice()
        let belfry = Belfry(
            service: address,
            center: UNUserNotificationCenter(host: VirtualNotificationHost(now: device.now, zone: .utc)),
            platform: device, transport: LiveTransport(), storage: MemoryStorage(), time: device)
        device.set {
            $0.onTokenRequest = { belfry.didRegisterForRemoteNotifications(withDeviceToken: Data([1])) }
        }
        await belfry.start()
        await belfry.settle()
        #expect(belfry.registration.state.fault?.code == .refused)
        #expect(belfry.nextWake == nil)
    }
}
