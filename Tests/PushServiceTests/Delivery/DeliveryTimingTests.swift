import APNs
import APNsClient
import APNsGateway
import PushStore
import Recurrence
import SQLite
import Testing
import Transport

@testable import PushService

/// What waits: quiet hours, caps, refusals for now, crashes.
@Suite(.timeLimit(.minutes(5)), .serialized)
struct DeliveryTimingTests {
    private static func quiet() -> AppSettings {
        var settings = AppSettings()
        settings.quietHours = AppSettings.QuietHours(startMinute: 22 * 60, endMinute: 7 * 60)
        return settings
    }

    /// The next time UTC's clocks show an hour.
    private static func next(hour: Int64, after now: Instant) -> Instant {
        let day = now.secondsSince1970 / 86_400 + 1
        return Instant(secondsSince1970: day * 86_400 + hour * 3_600)
    }

    @Test func `quiet hours defer to their end on each device's clock`() async throws {
        try await DeliveryWorld.run(settings: Self.quiet()) { world in
            world.setTime(Self.next(hour: 23, after: world.now))
            let asleep = try await world.addPhones(2, fields: ["timeZone": "UTC"])
            let awake = try await world.addPhones(1, fields: ["timeZone": "America/Los_Angeles"])
            let service = try world.service()
            let push = try await world.push(["alert": "a", "badge": "Increment"]) { $0.badgeIncrement = 1 }
            try await world.work(service)
            #expect(try await world.outcomes(push) == [.accepted: 1, .pending: 2])
            #expect(world.shownCount(awake[0]) == 1 && world.shownCount(asleep[0]) == 0)
            world.advance(seconds: 8 * 3_600 - 1)
            try await world.work(service)
            #expect(try await world.outcomes(push)[.pending] == 2)
            world.advance(seconds: 1)
            try await world.work(service)
            #expect(try await world.outcomes(push) == [.accepted: 3])
            #expect(try await world.state(push)?.state == .done)
            #expect(asleep.allSatisfy { world.deliveries($0).count == 1 })
            #expect(try await world.row(asleep[0])?.badge == 1)
        }
    }

    @Test func `quiet hours are for what is seen, and not for what says it is urgent`() async throws {
        try await DeliveryWorld.run(settings: Self.quiet()) { world in
            world.setTime(Self.next(hour: 23, after: world.now))
            _ = try await world.addPhones(1, fields: ["timeZone": "UTC"])
            let service = try world.service()
            let silent = try await world.push(["content-available": 1])
            let urgent = try await world.push { $0.ignoresQuietHours = true }
            let expiring = try await world.push { $0.lifetime = .seconds(3_600) }
            try await world.work(service)
            #expect(try await world.outcomes(silent) == [.accepted: 1])
            #expect(try await world.outcomes(urgent) == [.accepted: 1])
            #expect(try await world.outcomes(expiring) == [.pending: 1])
            world.advance(seconds: 8 * 3_600)
            try await world.work(service)
            #expect(try await world.outcomes(expiring) == [.expired: 1])
        }
    }

    @Test func `an installation gets as many pushes as its app allows in a span`() async throws {
        var settings = AppSettings()
        settings.frequencyCap = AppSettings.FrequencyCap(countMax: 2, seconds: 3_600)
        try await DeliveryWorld.run(settings: settings) { world in
            let phones = try await world.addPhones(2)
            let service = try world.service()
            for expected: [DeviceOutcome: Int] in [[.accepted: 2], [.accepted: 2], [.capped: 2]] {
                let push = try await world.push()
                try await world.work(service)
                #expect(try await world.outcomes(push) == expected)
            }
            let urgent = try await world.push { $0.ignoresFrequencyCap = true }
            let silent = try await world.push(["content-available": 1])
            try await world.work(service)
            #expect(try await world.outcomes(urgent) == [.accepted: 2])
            #expect(try await world.outcomes(silent) == [.accepted: 2])
            world.advance(seconds: 3_600)
            let later = try await world.push()
            try await world.work(service)
            #expect(try await world.outcomes(later) == [.accepted: 2])
            #expect(phones.allSatisfy { world.shownCount($0) >= 4 })
        }
    }

    @Test(arguments: [
        (Reason.tooManyRequests, Int64(6)), (.serviceUnavailable, 901), (.internalServerError, 901),
    ])
    func `a refusal for now is tried again when its time has come`(
        reason: Reason, seconds: Int64
    ) async throws {
        try await DeliveryWorld.run { world in
            let phones = try await world.addPhones(10)
            let service = try world.service()
            try world.gateway.faults.add(FaultRule(.reason(reason, status: nil), count: 4))
            let push = try await world.push()
            try await world.work(service)
            #expect(try await world.outcomes(push) == [.accepted: 6, .pending: 4])
            world.advance(seconds: seconds - 2)
            try await world.work(service)
            #expect(try await world.outcomes(push)[.pending] == 4)
            world.advance(seconds: 2)
            try await world.work(service)
            #expect(try await world.outcomes(push) == [.accepted: 10])
            #expect(phones.allSatisfy { world.deliveries($0).count == 1 })
        }
    }

    @Test func `streams that end without an answer are sent again and shown once`() async throws {
        try await DeliveryWorld.run { world in
            let phones = try await world.addPhones(10)
            let service = try world.service()
            try world.gateway.faults.add(
                FaultRule(.reset(errorCode: HTTP2ErrorCode.internalError.rawValue), count: 4))
            let push = try await world.push()
            try await world.work(service)
            world.advance(seconds: 6)
            try await world.work(service)
            #expect(try await world.outcomes(push) == [.accepted: 10])
            #expect(phones.allSatisfy { world.shownCount($0) == 1 })
        }
    }

    @Test func `streams that never get an answer end as unanswered`() async throws {
        try await DeliveryWorld.run { world in
            _ = try await world.addPhones(2)
            let service = try world.service()
            try world.gateway.faults.add(
                FaultRule(.reset(errorCode: HTTP2ErrorCode.internalError.rawValue)))
            let push = try await world.push()
            for _ in 0..<4 {
                try await world.work(service)
                world.advance(seconds: 60)
            }
            #expect(try await world.outcomes(push) == [.unanswered: 2])
            #expect(try await world.state(push)?.state == .done)
            #expect(world.journal.count == 6, "three times each")
        }
    }

    @Test func `cancelling ends what has not been sent`() async throws {
        try await DeliveryWorld.run { world in
            _ = try await world.addPhones(1_500)
            let service = try world.service()
            let push = try await world.push()
            try await service.scheduleOnce()
            var sender = service.makeSender()
            #expect(try await service.sendOnce(&sender))
            _ = try await world.store.setState(
                .cancelled, push: push.objectID, app: push.app, now: world.now)
            try await world.work(service)
            #expect(try await world.outcomes(push) == [.accepted: 1_000, .cancelled: 500])
            #expect(world.journal.count == 1_000)
        }
    }

    @Test func `a service killed in the middle is continued and no phone shows a push twice`() async throws {
        try await DeliveryWorld.run { world in
            let phones = try await world.addPhones(4_000)
            let service = try world.service("node")
            try world.gateway.faults.add(FaultRule(.latency(milliseconds: 200)))
            let push = try await world.push()
            try await service.scheduleOnce()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<2 {
                    group.addTask {
                        var sender = service.makeSender()
                        // Ends with the store.
                        while (try? await service.sendOnce(&sender)) == true {}
                    }
                }
                while world.gateway.journal.records(JournalQuery(since: 2_200, limit: 1)).isEmpty {
                    try await Task.sleep(for: .milliseconds(2))
                }
                try await world.crash()
                try await group.waitForAll()
            }
            world.gateway.faults.removeAll()
            let seen = Set(world.journal.compactMap(\.token))
            let stored = try await acceptedTokens(world)
            let claimed = try await world.store.queueCounts(now: world.now).claimedBatchCount
            #expect((1...2).contains(claimed))
            let next = try world.service("node")
            try await world.work(next)
            world.advance(seconds: BatchSender.leaseSeconds)
            try await world.work(next)
            #expect(try await world.outcomes(push) == [.accepted: 4_000])
            #expect(try await world.state(push)?.state == .done)
            var ids: [DeviceToken: [ResponseID]] = [:]
            for record in world.journal {
                if let token = record.token { ids[token, default: []].append(record.id) }
            }
            #expect(ids.count == 4_000)
            let repeated = Set(ids.filter { $0.value.count > 1 }.keys)
            #expect(
                repeated == seen.subtracting(stored), "those sent whose answer was not stored, and no others")
            #expect(repeated.count <= claimed * 1_000)
            #expect(ids.values.allSatisfy { $0.count <= 2 && Set($0).count == 1 })
            #expect(phones.allSatisfy { world.shownCount($0) == 1 })
        }
    }

    /// The tokens of devices whose acceptance is stored.
    private func acceptedTokens(_ world: DeliveryWorld) async throws -> Set<DeviceToken> {
        try await world.store.read { database in
            var tokens: [Int64: DeviceToken] = [:]
            try database.forEach("SELECT number, device_token FROM installations") {
                row throws(SQLiteError) in
                tokens[try row.integer(0)] = try? DeviceToken(hex: try row.string(1))
            }
            var accepted: Set<DeviceToken> = []
            try database.forEach("SELECT installations, outcomes FROM batches") { row throws(SQLiteError) in
                let numbers = NumberList.decode(try row.bytes(0)) ?? []
                for (number, outcome) in zip(numbers, try row.bytes(1)) where outcome == 1 {
                    if let token = tokens[number] { accepted.insert(token) }
                }
            }
            return accepted
        }
    }

    @Test func `answers are stored while others of their batch are still missing`() async throws {
        try await DeliveryWorld.run { world in
            _ = try await world.addPhones(1_000)
            let service = try world.service()
            // The first hundred of the thousand are answered when the test is over.
            try world.gateway.faults.add(FaultRule(.latency(milliseconds: 20_000), count: 100))
            let push = try await world.push()
            try await service.scheduleOnce()
            let sending = Task {
                var sender = service.makeSender()
                _ = try? await service.sendOnce(&sender)
            }
            while try await world.outcomes(push)[.accepted] != 900 {
                try await Task.sleep(for: .milliseconds(5))
            }
            #expect(try await world.outcomes(push) == [.accepted: 900, .pending: 100])
            _ = try await world.store.setState(
                .cancelled, push: push.objectID, app: push.app, now: world.now)
            await sending.value
            #expect(
                try await world.outcomes(push) == [.accepted: 1_000], "what was on the wire is waited for")
        }
    }

    @Test func `pushes at once keep to the frequency cap exactly`() async throws {
        var settings = AppSettings()
        settings.frequencyCap = AppSettings.FrequencyCap(countMax: 2, seconds: 3_600)
        try await DeliveryWorld.run(settings: settings) { world in
            let phones = try await world.addPhones(400)
            try world.gateway.faults.add(FaultRule(.latency(milliseconds: 20)))
            var pushes: [Push] = []
            for _ in 0..<6 { pushes.append(try await world.push()) }
            let made = pushes
            let service = try world.service()
            try await world.running(service) {
                for push in made where try await world.state(push)?.state != .done { return false }
                return true
            }
            var outcomes: [DeviceOutcome: Int] = [:]
            for push in pushes { outcomes.merge(try await world.outcomes(push)) { $0 + $1 } }
            #expect(outcomes == [.accepted: 800, .capped: 1_600])
            #expect(phones.allSatisfy { world.deliveries($0).count == 2 })
        }
    }

    @Test func `running, a service sends what comes and stops without losing anything`() async throws {
        try await DeliveryWorld.run { world in
            let phones = try await world.addPhones(1_500)
            let service = try world.service()
            let running = Task { await service.run() }
            var pushes: [Push] = []
            for _ in 0..<3 {
                pushes.append(try await world.push())
                service.wakeUp()
            }
            for push in pushes {
                while try await world.state(push)?.state != .done {
                    try await Task.sleep(for: .milliseconds(5))
                }
            }
            running.cancel()
            await running.value
            for push in pushes { #expect(try await world.outcomes(push) == [.accepted: 1_500]) }
            #expect(phones.allSatisfy { world.deliveries($0).count == 3 })
            #expect(try await world.store.queueCounts(now: world.now).claimedBatchCount == 0)
        }
    }

    @Test func `services that share a store share the work`() async throws {
        try await DeliveryWorld.run { world in
            let phones = try await world.addPhones(3_000)
            let services = [try world.service("one"), try world.service("two")]
            let push = try await world.push()
            let running = services.map { service in Task { await service.run() } }
            while try await world.state(push)?.state != .done { try await Task.sleep(for: .milliseconds(5)) }
            for task in running { task.cancel() }
            for task in running { await task.value }
            #expect(try await world.outcomes(push) == [.accepted: 3_000])
            #expect(world.journal.count == 3_000)
            #expect(phones.allSatisfy { world.deliveries($0).count == 1 })
        }
    }

    @Test func `a service that is stopped in the middle hands back what it has not sent`() async throws {
        try await DeliveryWorld.run { world in
            let phones = try await world.addPhones(4_000)
            let service = try world.service("one")
            try world.gateway.faults.add(FaultRule(.latency(milliseconds: 50)))
            let push = try await world.push()
            let running = Task { await service.run() }
            while world.gateway.journal.records(JournalQuery(since: 1_100, limit: 1)).isEmpty {
                try await Task.sleep(for: .milliseconds(2))
            }
            running.cancel()
            await running.value
            #expect(try await world.store.queueCounts(now: world.now).claimedBatchCount == 0)
            let before = try await world.outcomes(push)
            #expect(before[.accepted] == world.journal.count, "what was on the wire was waited for")
            world.gateway.faults.removeAll()
            try await world.work(try world.service("two"))
            #expect(try await world.outcomes(push) == [.accepted: 4_000])
            #expect(phones.allSatisfy { world.deliveries($0).count == 1 })
        }
    }

    @Test func `whatever connections do each device has one outcome and one notification`() async throws {
        try await DeliveryWorld.run { world in
            let phones = try await world.addPhones(3_000)
            for rule in [
                FaultRule(.drop, rate: 0.001), FaultRule(.goAway(.shutdown, errorCode: 0), rate: 0.002),
                FaultRule(.reset(errorCode: HTTP2ErrorCode.internalError.rawValue), rate: 0.01),
                FaultRule(.reset(errorCode: HTTP2ErrorCode.refusedStream.rawValue), rate: 0.01),
                FaultRule(.reason(.tooManyRequests, status: nil), rate: 0.02),
                FaultRule(.reason(.serviceUnavailable, status: nil), rate: 0.02),
            ] { try world.gateway.faults.add(rule) }
            let service = try world.service()
            let push = try await world.push()
            for round in 0..<40 {
                try await world.work(service)
                if try await world.state(push)?.state == .done { break }
                if round == 6 { world.gateway.faults.removeAll() }
                world.advance(seconds: 901)
            }
            #expect(try await world.state(push)?.state == .done)
            let outcomes = try await world.outcomes(push)
            #expect(outcomes.values.reduce(0, +) == 3_000)
            #expect((outcomes[.accepted] ?? 0) > 2_980)
            #expect(outcomes[.pending] == nil)
            #expect(phones.allSatisfy { world.shownCount($0) <= 1 })
            #expect(phones.count { world.shownCount($0) == 1 } >= outcomes[.accepted] ?? 0)
        }
    }

    // MARK: Digest

    private static let digest: JSONValue = [
        "articles": [
            ["id": "budget", "tags": ["politics"], "data": ["alert": "budget"]],
            ["id": "final", "tags": ["sports"], "data": ["alert": "final"]],
        ]
    ]

    private func alerts(_ world: DeliveryWorld, _ phone: DeliveryWorld.Phone) -> [String] {
        world.deliveries(phone).map { delivery in
            let json = try? JSONValue(parsing: delivery.notification.payload)
            if case .string(let text)? = json?["aps"]?["alert"] { return text }
            if case .string(let text)? = json?["aps"]?["alert"]?["body"] { return text }
            return "?"
        }
    }

    private func read(_ world: DeliveryWorld, _ phone: DeliveryWorld.Phone, _ tag: String) async throws {
        _ = try await world.store.recordEvents(
            [
                BehaviourEvent(
                    source: .objectID(phone.row.objectID), name: "read", tags: [tag: 1], article: nil,
                    at: world.now)
            ], app: try await world.app.number, now: world.now)
    }

    @Test func `a digest gives each reader the best article they have not had`() async throws {
        try await DeliveryWorld.run { world in
            let phones = try await world.addPhones(2)
            try await read(world, phones[1], "sports")
            let service = try world.service()
            var outcomes: [[DeviceOutcome: Int]] = []
            for _ in 0..<3 {
                let push = try await world.push(["sound": "default"]) { $0.digest = Self.digest }
                try await world.work(service)
                outcomes.append(try await world.outcomes(push))
            }
            #expect(alerts(world, phones[0]) == ["budget", "final"])
            #expect(alerts(world, phones[1]) == ["final", "budget"])
            #expect(outcomes == [[.accepted: 2], [.accepted: 2], [.nothingNew: 2]])
        }
    }

    @Test func `after a crash a reader gets the same article again`() async throws {
        try await DeliveryWorld.run { world in
            let phones = try await world.addPhones(2)
            let service = try world.service("one")
            let push = try await world.push(["sound": "default"]) { $0.digest = Self.digest }
            try await service.scheduleOnce()
            try world.gateway.faults.add(FaultRule(.latency(milliseconds: 300)))
            let sending = Task {
                var sender = service.makeSender()
                _ = try? await service.sendOnce(&sender)
            }
            while world.deliveries(phones[1]).isEmpty || world.deliveries(phones[0]).isEmpty {
                try await Task.sleep(for: .milliseconds(2))
            }
            try await world.crash()
            await sending.value
            world.gateway.faults.removeAll()
            // What they read meanwhile would choose otherwise.
            for phone in phones { try await read(world, phone, "sports") }
            world.advance(seconds: BatchSender.leaseSeconds)
            try await world.work(try world.service("two"))
            #expect(try await world.outcomes(push) == [.accepted: 2])
            for phone in phones {
                #expect(alerts(world, phone) == ["budget", "budget"])
                #expect(world.shownCount(phone) == 1)
            }
        }
    }

    @Test(arguments: [Push.State.paused, .cancelled])
    func `a digest that is stopped while articles are chosen skips nobody`(state: Push.State) async throws {
        try await DeliveryWorld.run { world in
            let phones = try await world.addPhones(2)
            let service = try world.service()
            let push = try await world.push(["sound": "default"]) { $0.digest = Self.digest }
            try await service.scheduleOnce()
            let batch = try #require(
                try await world.store.claimBatch(
                    owner: "node", leaseUntil: world.now.advanced(bySeconds: 60), held: [], now: world.now))
            _ = try await world.store.setState(state, push: push.objectID, app: push.app, now: world.now)
            var sender = service.makeSender()
            try await sender.send(batch, SendPermit(for: .seconds(50)))
            #expect(world.journal.isEmpty)
            if state == .cancelled {
                #expect(try await world.outcomes(push) == [.cancelled: 2])
                return
            }
            #expect(try await world.outcomes(push) == [.pending: 2])
            _ = try await world.store.setState(.running, push: push.objectID, app: push.app, now: world.now)
            try await world.work(service)
            #expect(try await world.outcomes(push) == [.accepted: 2])
            #expect(phones.allSatisfy { world.shownCount($0) == 1 })
        }
    }

    @Test func `a digest in quiet hours chooses in the morning`() async throws {
        try await DeliveryWorld.run(settings: Self.quiet()) { world in
            world.setTime(Self.next(hour: 23, after: world.now))
            let phones = try await world.addPhones(1, fields: ["timeZone": "UTC"])
            let awake = try await world.addPhones(1, fields: ["timeZone": "America/Los_Angeles"])
            let service = try world.service()
            let push = try await world.push(["sound": "default"]) { $0.digest = Self.digest }
            try await world.work(service)
            #expect(alerts(world, awake[0]) == ["budget"])
            try await read(world, phones[0], "sports")
            world.advance(seconds: 8 * 3_600)
            try await world.work(service)
            #expect(alerts(world, phones[0]) == ["final"])
            #expect(try await world.outcomes(push) == [.accepted: 2])
        }
    }
}
