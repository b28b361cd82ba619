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
        FaultRule(.drop, rate: 0.0005),
        FaultRule(.goAway(.shutdown, errorCode: 0), rate: 0.0005),
        FaultRule(.reset(errorCode: HTTP2ErrorCode.internalError.rawValue), rate: 0.002),
        FaultRule(.reset(errorCode: HTTP2ErrorCode.refusedStream.rawValue), rate: 0.005),
        FaultRule(.silence, rate: 0.0002),
        FaultRule(.maxStreams(1), rate: 0.001),
        FaultRule(.reason(.tooManyRequests, status: nil), rate: 0.005),
        FaultRule(.reason(.internalServerError, status: nil), rate: 0.005),
        FaultRule(.reason(.serviceUnavailable, status: nil), rate: 0.005),
    ]

    @Test func `whatever the server does each notification has one outcome and none is accepted twice`()
        async throws
    {
        let count = Self.count
        try await GatewayWorld.run(configure: {
            $0.isOpen = true
            $0.journalCapacity = count * 2
            $0.policy.connections.errorThrottle = nil
        }) { world in
            for rule in Self.faults { try world.gateway.faults.add(rule) }
            let client = try world.client {
                $0.connectionCountMax = 4
                $0.answerTimeout = .milliseconds(1500)
                $0.retryPolicy.tooManyRequestsDelay = .milliseconds(50)
                $0.retryPolicy.attemptCountMax = 10
                $0.connection.pingTimeout = .seconds(20)
                $0.connection.pingAfterBusySilence = .seconds(20)
            }
            let outcomes = try await Self.send(count, with: client)
            let waiting = client.snapshot.queuedCount
            #expect(waiting == 0)
            await client.shutdown()
            try Self.judge(outcomes, world.journal)
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

    private static func judge(_ outcomes: [Outcome], _ journal: [JournalRecord]) throws {
        var accepted: [NotificationID: Int] = [:]
        for record in journal where record.status == 200 { accepted[record.id.id, default: 0] += 1 }

        var counts: [String: Int] = [:]
        var acceptedUnknown = 0
        for (number, outcome) in outcomes.enumerated() {
            let times = accepted[NotificationID(high: 7, low: UInt64(number)), default: 0]
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
        for decision: JournalDecision in [.faultDrop, .faultGoAway, .faultReset, .faultSilence, .faultReason]
        {
            #expect(decisions[decision, default: 0] > 0)
        }
        #expect(acceptedCount > outcomes.count * 3 / 4)
        print("fault test: \(outcomes.count) notifications, \(counts.sorted { $0.key < $1.key })")
        print("  of the unknown \(acceptedUnknown) accepted; journal \(decisions)")
    }
}
