import APNs
import APNsGateway
import Testing
import Transport

@testable import APNsClient

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Everything that can go wrong with a connection, at random, over and over.
///
/// `BELFRY_FAULT_COUNT` sets how many notifications are sent.
@Suite(.timeLimit(.minutes(5)))
struct FaultTests {
    private static let count = getenv("BELFRY_FAULT_COUNT").flatMap { Int(String(cString: $0)) } ?? 100_000
    private static let batchCount = 20

    private static let faults = [
        FaultRule(.drop, rate: 0.0001),
        FaultRule(.goAway(.shutdown, errorCode: 0), rate: 0.0005),
        FaultRule(.reset(errorCode: HTTP2ErrorCode.internalError.rawValue), rate: 0.002),
        FaultRule(.reset(errorCode: HTTP2ErrorCode.refusedStream.rawValue), rate: 0.005),
        FaultRule(.silence, rate: 0.0002),
        FaultRule(.maxStreams(1), rate: 0.001),
        FaultRule(.reason(.tooManyRequests, status: nil), rate: 0.005),
        FaultRule(.reason(.internalServerError, status: nil), rate: 0.005),
        FaultRule(.reason(.serviceUnavailable, status: nil), rate: 0.005),
    ]

    private static func withWorld(_ count: Int, _ body: (GatewayWorld) async throws -> Void) async throws {
        try await GatewayWorld.run(configure: {
            $0.isOpen = true
            $0.journalCapacity = count * 2
            $0.policy.connections.errorThrottle = nil
        }) { world in
            for rule in faults { try world.gateway.faults.add(rule) }
            try await body(world)
        }
    }

    private static func configure(_ configuration: inout APNsClient.Configuration) {
        configuration.connectionCountMax = 4
        configuration.answerTimeout = .seconds(5)
        configuration.retryPolicy.tooManyRequestsDelay = .milliseconds(50)
        configuration.retryPolicy.attemptCountMax = 20
        // Shorter than the wait after a server error, which is to be handed back.
        configuration.retryPolicy.window = .seconds(600)
        // A busy machine must not look like a dead network.
        configuration.connection.pingTimeout = .seconds(60)
    }

    @Test func `whatever the server does each notification has one outcome and none is accepted twice`()
        async throws
    {
        let count = Self.count
        try await Self.withWorld(count) { world in
            let client = try world.client(configure: Self.configure)
            let outcomes = try await Self.send(count, with: client)
            let waiting = client.snapshot.queuedCount
            #expect(waiting == 0)
            await client.shutdown()
            try Self.judge(outcomes, world.journal)
        }
    }

    @Test func `when unanswered notifications are sent again only those can be accepted twice`() async throws
    {
        let count = max(Self.count / 5, 100)
        let loops = EventLoopGroup(count: 2, name: "fault-test")
        defer { loops.shutdown() }
        try await Self.withWorld(count) { world in
            let client = try world.client(loops: loops) {
                Self.configure(&$0)
                $0.retryPolicy.retriesUnanswered = true
                $0.retryPolicy.delayMax = .milliseconds(500)
            }
            let outcomes = try await Self.send(count, with: client)
            await client.shutdown()
            let accepted = Self.acceptedCounts(world.journal)
            for (number, outcome) in outcomes.enumerated() {
                let times = accepted[Self.id(number), default: 0]
                if outcome.isAccepted { #expect(times >= 1) }
                #expect(times <= outcome.attemptCount)
                // Refused after all, or accepted by an attempt whose answer was lost.
                if times > 0 { #expect(outcome.isAccepted || outcome.attemptCount > 1) }
            }
            #expect(outcomes.allSatisfy { $0.unknownError == nil && $0.notSentError == nil })
            #expect(outcomes.count { $0.isAccepted } > count * 9 / 10)
        }
    }

    /// Sends in batches that overlap; answers outcomes by the notification's number.
    private static func send(_ count: Int, with client: APNsClient) async throws -> [Outcome] {
        let size = (count + batchCount - 1) / batchCount
        return try await withThrowingTaskGroup { group in
            for start in stride(from: 0, to: count, by: size) {
                group.addTask {
                    let range = start..<min(start + size, count)
                    return (range, await client.send(try Sample.notifications(range)))
                }
            }
            var all = [Outcome?](repeating: nil, count: count)
            for try await (range, outcomes) in group {
                #expect(outcomes.count == range.count)
                for (number, outcome) in zip(range, outcomes) { all[number] = outcome }
            }
            #expect(all.allSatisfy { $0 != nil })
            return all.compactMap(\.self)
        }
    }

    private static func id(_ number: Int) -> NotificationID { NotificationID(high: 7, low: UInt64(number)) }

    /// How often the gateway accepted each notification.
    private static func acceptedCounts(_ journal: [JournalRecord]) -> [NotificationID: Int] {
        journal.reduce(into: [:]) { if $1.status == 200 { $0[$1.id.id, default: 0] += 1 } }
    }

    private static func judge(_ outcomes: [Outcome], _ journal: [JournalRecord]) throws {
        let accepted = acceptedCounts(journal)
        var counts: [String: Int] = [:]
        var acceptedUnknown = 0
        for (number, outcome) in outcomes.enumerated() {
            let times = accepted[id(number), default: 0]
            switch outcome.result {
            case .accepted:
                counts["accepted", default: 0] += 1
                #expect(times == 1, "notification \(number) was accepted \(times) times")
            case .rejected(_, let reason, _):
                counts[reason.text, default: 0] += 1
                #expect(times == 0, "notification \(number) was refused after it had been accepted")
            case .failed(.unknown):
                counts["unknown", default: 0] += 1
                acceptedUnknown += times
                #expect(times <= 1, "notification \(number) got no answer and was accepted \(times) times")
            case .failed(.notSent):
                counts["not sent", default: 0] += 1
                #expect(times == 0, "notification \(number) is called not sent and was accepted")
            case .failed(.cancelled):
                counts["cancelled", default: 0] += 1
            }
        }
        #expect(counts["cancelled"] == nil)
        #expect(counts["not sent"] == nil, "replays must outlast these faults")
        #expect(counts["TooManyRequests"] == nil, "throttled notifications are tried again")
        #expect(counts["InternalServerError", default: 0] > 0 && counts["ServiceUnavailable", default: 0] > 0)
        let acceptedCount = counts["accepted", default: 0]
        #expect(acceptedCount + acceptedUnknown == accepted.values.reduce(0, +))
        #expect(counts.values.reduce(0, +) == outcomes.count)
        // The faults do happen, and cost no more answers than they must: a cut connection those in flight.
        let decisions = journal.reduce(into: [:]) { $0[$1.decision, default: 0] += 1 }
        let kinds: [JournalDecision] = [.faultDrop, .faultGoAway, .faultReset, .faultSilence, .faultReason]
        if outcomes.count >= 50_000 {
            for kind in kinds { #expect(decisions[kind, default: 0] > 0) }
        }
        let streamsMax = GatewayPolicy().connections.authenticatedStreamsMax
        let unknownMax =
            decisions[.faultDrop, default: 0] * streamsMax + decisions[.faultReset, default: 0]
            + decisions[.faultSilence, default: 0]
        #expect(counts["unknown", default: 0] <= unknownMax)
        print("fault test: \(outcomes.count) notifications, \(counts.sorted { $0.key < $1.key })")
        print("  of the unknown \(acceptedUnknown) accepted; journal \(decisions)")
    }
}
