import APNs
import APNsGateway
import Synchronization
import Testing

struct DeviceHubTests {
    private let fixture = ControlFixture()

    @Test func `the keeper of the timer hears of every new deadline and of every advance`() async throws {
        let announced = Mutex<[Int64?]>([])
        let hub = fixture.hub
        hub.setDeadlineHandler { announced.withLock { $0.append(hub.nextDeadline) } }
        let (id, token) = try await fixture.addDevice()
        _ = await fixture.send("PATCH", "/devices/\(id)", #"{"online":false}"#)
        fixture.push(token, 1, expiration: .at(secondsSince1970: World.start / 1_000 + 100))
        try fixture.clock.advance(byMilliseconds: 60_000)
        hub.advance()
        try fixture.clock.advance(byMilliseconds: 40_000)
        hub.advance()
        let end = World.start + 100_000
        let expected: [Int64?] = [nil, end, end]
        #expect(Array(announced.withLock { $0 }.prefix(3)) == expected)
        #expect(announced.withLock { $0.last } == .some(nil))
        hub.setDeadlineHandler(nil)
    }

    @Test func `a push whose number was not remembered is amended nowhere`() async throws {
        let (id, token) = try await fixture.addDevice()
        _ = await fixture.send("PATCH", "/devices/\(id)", #"{"online":false}"#)
        fixture.push(token, 1)
        var other = World().devices
        _ = other.takeOutcomes()
        let notification = DeliverableNotification(
            id: NotificationID(high: 9, low: 9), uniqueID: NotificationID(high: 9, low: 9), token: token,
            topic: World.topic, payload: [], receivedAtMilliseconds: World.start, environment: .sandbox)
        _ = fixture.hub.withRegistries { registries, _, now in
            registries.devices.accept(notification, at: now)
        }
        #expect(fixture.journal.records(JournalQuery()).map(\.decision) == [.droppedReplaced])
        _ = await fixture.send("PATCH", "/devices/\(id)", #"{"online":true}"#)
        #expect(fixture.journal.records(JournalQuery()).map(\.decision) == [.droppedReplaced])
    }

    @Test func `an error inside the lock reaches the caller and what happened before it counts`() async throws
    {
        let (id, _) = try await fixture.addDevice()
        let device = try #require(DeviceID(id))
        let error = #expect(throws: GatewayError.self) {
            try fixture.hub.withRegistries { registries, _, now throws(GatewayError) in
                try registries.devices.setOnline(device, false, at: now)
                try registries.devices.setOnline(DeviceID(rawValue: 1), false, at: now)
            }
        }
        #expect(error?.code == .deviceNotFound)
        #expect(await fixture.send("GET", "/devices/\(id)")["online"] == false)
    }

    @Test func `threads that push, register and switch phones at once lose nothing`() async throws {
        let fixture = fixture
        let (_, token) = try await fixture.addDevice()
        await withTaskGroup(of: Void.self) { group in
            for thread in 0..<8 {
                group.addTask {
                    for number in 0..<200 {
                        fixture.push(token, UInt64(thread * 1_000 + number))
                        if number % 20 == 0 { _ = try? await fixture.addDevice("app.t\(thread)") }
                    }
                }
            }
        }
        let (count, sequence) = fixture.hub.read { registries in
            (registries.devices.deviceCount, registries.devices.statistics.deliveryCount)
        }
        #expect(count == 81)
        #expect(sequence == 1_600)
    }
}
