import APNs
import APNsGateway
import PushStore
import Recurrence
import Synchronization
import Testing

@testable import PushService

/// What a service tells of its work.
@Suite(.timeLimit(.minutes(5)), .serialized)
struct DeliveryEventTests {
    private final class Events: Sendable {
        private let state = Mutex<[DeliveryService.Event]>([])

        func add(_ event: DeliveryService.Event) { state.withLock { $0.append(event) } }

        /// Stops as `push app reason`.
        var stops: [String] {
            state.withLock { $0 }.compactMap { event in
                guard case .pushStopped(let push, let app, let reason) = event else { return nil }
                return "\(push) \(app) \(reason)"
            }
        }

        /// All outcomes that were stored.
        var outcomes: [DeviceOutcome: Int] {
            state.withLock { $0 }.reduce(into: [:]) { sum, event in
                guard case .stored("news", let outcomes, _) = event else { return }
                sum.merge(outcomes, uniquingKeysWith: +)
            }
        }

        var retryCount: Int {
            state.withLock { $0 }.reduce(0) { sum, event in
                guard case .stored("news", _, let count) = event else { return sum }
                return sum + count
            }
        }
    }

    @Test func `a fault that stops a push is told with push, app and reason, each time it does`() async throws
    {
        try await DeliveryWorld.run { world in
            _ = try await world.addPhones(3)
            let events = Events()
            let service = try world.service { events.add($0) }
            try world.gateway.faults.add(FaultRule(.reason(.topicDisallowed, status: nil)))
            let push = try await world.push()
            try await world.work(service)
            let line = "\(push.objectID) news APNs refused the push: TopicDisallowed (400)"
            #expect(events.stops == [line])
            #expect(try await world.state(push)?.error == "APNs refused the push: TopicDisallowed (400)")
            // While it is stopped nothing is told, and what an operator does is no fault.
            world.advance(seconds: 600)
            try await world.work(service)
            let other = try await world.push()
            _ = try await world.store.setState(.paused, push: other.objectID, app: other.app, now: world.now)
            try await world.work(service)
            #expect(events.stops == [line])
            _ = try await world.store.setState(.running, push: push.objectID, app: push.app, now: world.now)
            try await world.work(service)
            #expect(events.stops == [line, line], "it was resumed before the fault was mended")
            world.gateway.faults.removeAll()
            _ = try await world.store.setState(.running, push: push.objectID, app: push.app, now: world.now)
            try await world.work(service)
            #expect(events.stops == [line, line])
            #expect(events.outcomes == [.accepted: 3])
        }
    }

    @Test func `a fault that senders meet at the same time is told once`() async throws {
        try await DeliveryWorld.run(hasCredential: false) { world in
            // Three batches, which several senders take at once.
            for start in stride(from: 0, to: 3_000, by: 1_000) {
                let rows = (start..<start + 1_000).map { number in
                    let digits = String(number + 1, radix: 16)
                    return ImportedInstallation(fields: [
                        "objectId": .string("row\(number)"), "updatedAt": .string(world.now.iso8601),
                        "deviceType": "ios",
                        "deviceToken": .string(String(repeating: "0", count: 64 - digits.count) + digits),
                    ])
                }
                _ = try await world.store.importInstallations(
                    rows, app: try await world.app.number, now: world.now)
            }
            let events = Events()
            let service = try world.service { events.add($0) }
            let push = try await world.push()
            try await world.running(service) { try await world.state(push)?.state == .paused }
            #expect(events.stops.count == 1)
            #expect(
                events.stops.first?.hasPrefix("\(push.objectID) news app 'News' has no credential") == true)
        }
    }

    @Test func `outcomes are told as they are stored, each device once, and who is tried again`() async throws
    {
        try await DeliveryWorld.run { world in
            let phones = try await world.addPhones(5)
            try world.uninstall(phones[0])
            let events = Events()
            let service = try world.service { events.add($0) }
            try world.gateway.faults.add(FaultRule(.reason(.serviceUnavailable, status: nil), count: 2))
            let push = try await world.push()
            try await world.work(service)
            #expect(events.retryCount == 2)
            #expect(events.outcomes.values.reduce(0, +) == 3)
            world.advance(seconds: 3_600)
            try await world.work(service)
            #expect(events.retryCount == 2)
            #expect(events.outcomes == (try await world.outcomes(push)))
            #expect(events.outcomes.values.reduce(0, +) == 5)
        }
    }

    @Test func `outcomes of a push that has ended before its turn are told too`() async throws {
        try await DeliveryWorld.run { world in
            _ = try await world.addPhones(2)
            let events = Events()
            let service = try world.service { events.add($0) }
            let push = try await world.push { $0.lifetime = .seconds(60) }
            try await service.scheduleOnce()
            world.advance(seconds: 61)
            try await world.work(service)
            #expect(try await world.outcomes(push) == [.expired: 2])
            #expect(events.outcomes == [.expired: 2])
        }
    }
}
