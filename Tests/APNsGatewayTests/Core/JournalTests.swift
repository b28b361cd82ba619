import APNs
import Testing

@testable import APNsGateway

struct JournalTests {
    private func record(
        _ number: UInt64, status: Int = 200, reason: Reason? = nil, token: DeviceToken? = nil,
        decision: JournalDecision = .delivered
    ) -> JournalRecord {
        var record = JournalRecord(
            operation: .push, id: ResponseID(generated: NotificationID(high: 0, low: number)),
            environment: .production, connection: 3, timeMilliseconds: Int64(number), decision: decision,
            status: status, reason: reason)
        record.token = token
        return record
    }

    private func sequences(_ journal: Journal, _ query: JournalQuery = JournalQuery()) -> [UInt64] {
        journal.records(query).map(\.sequence)
    }

    @Test func `an empty journal shows nothing`() {
        let journal = Journal(capacity: 4)
        #expect(journal.newestSequence == 0)
        #expect(sequences(journal).isEmpty)
        #expect(sequences(journal, JournalQuery(since: 0)).isEmpty)
        #expect(sequences(journal, JournalQuery(since: .max)).isEmpty)
        journal.amend(1, decision: .droppedExpired)
    }

    @Test(arguments: [1, 2, 3, 4, 5, 7, 8, 9, 17] as [UInt64])
    func `a full ring keeps the newest`(count: UInt64) {
        let journal = Journal(capacity: 4)
        for number in 1...count { #expect(journal.append(record(number)) == number) }
        let oldest = count > 4 ? count - 3 : 1
        #expect(sequences(journal) == Array(oldest...count))
        #expect(journal.records(JournalQuery()).map(\.timeMilliseconds) == (oldest...count).map(Int64.init))
        #expect(journal.counters.total == count)
    }

    @Test func `since reads on from where the last query ended`() {
        let journal = Journal(capacity: 10)
        for number in 1...15 as ClosedRange<UInt64> { journal.append(record(number)) }
        #expect(sequences(journal, JournalQuery(since: 0, limit: 3)) == [6, 7, 8])
        #expect(sequences(journal, JournalQuery(since: 8, limit: 3)) == [9, 10, 11])
        #expect(sequences(journal, JournalQuery(since: 14)) == [15])
        #expect(sequences(journal, JournalQuery(since: 15)) == [])
        #expect(sequences(journal, JournalQuery(since: .max)) == [])
        #expect(sequences(journal, JournalQuery(limit: 3)) == [13, 14, 15])
        #expect(sequences(journal, JournalQuery(limit: 0)) == [])
        #expect(sequences(journal, JournalQuery(limit: -1)) == [])
    }

    @Test func `requests are found by token, id, status and reason`() throws {
        let journal = Journal(capacity: 100)
        let token = try DeviceToken(hex: "c0ffee")
        let long = try DeviceToken(hex: String(repeating: "ab", count: 100))
        for number in 1...20 as ClosedRange<UInt64> {
            let isRefused = number.isMultiple(of: 5)
            journal.append(
                record(
                    number, status: isRefused ? 400 : 200, reason: isRefused ? .badTopic : nil,
                    token: number.isMultiple(of: 2) ? token : long))
        }
        #expect(
            sequences(journal, JournalQuery(token: token)) == stride(from: 2, through: 20, by: 2).map { $0 })
        #expect(sequences(journal, JournalQuery(token: long)).count == 10)
        #expect(sequences(journal, JournalQuery(status: 400)) == [5, 10, 15, 20])
        #expect(sequences(journal, JournalQuery(reason: .badTopic, limit: 2)) == [15, 20])
        #expect(sequences(journal, JournalQuery(since: 5, reason: .badTopic, limit: 2)) == [10, 15])
        #expect(sequences(journal, JournalQuery(id: NotificationID(high: 0, low: 7))) == [7])
        #expect(sequences(journal, JournalQuery(token: token, status: 400)) == [10, 20])
        #expect(sequences(journal, JournalQuery(reason: .shutdown)).isEmpty)
    }

    @Test func `long searches cross their slices without loss`() {
        let journal = Journal(capacity: 9000)
        for number in 1...20_000 as ClosedRange<UInt64> {
            journal.append(record(number, status: number.isMultiple(of: 1000) ? 0 : 200))
        }
        #expect(sequences(journal, JournalQuery(limit: 10_000)) == Array(11_001...20_000))
        #expect(sequences(journal, JournalQuery(since: 0, limit: 10_000)) == Array(11_001...20_000))
        let expected = stride(from: 12_000, through: 20_000, by: 1000).map { UInt64($0) }
        #expect(sequences(journal, JournalQuery(status: 0)) == expected)
        #expect(sequences(journal, JournalQuery(since: 0, status: 0)) == expected)
    }

    @Test func `what became of a request later is noted`() {
        let journal = Journal(capacity: 2)
        for number in 1...3 as ClosedRange<UInt64> {
            journal.append(record(number, decision: .storedOffline))
        }
        journal.amend(1, decision: .droppedExpired)
        journal.amend(2, decision: .delivered)
        journal.amend(9, decision: .delivered)
        journal.amend(0, decision: .delivered)
        #expect(journal.records(JournalQuery()).map(\.decision) == [.delivered, .storedOffline])
        #expect(journal.counters.count(of: .storedOffline) == 2)
        #expect(journal.counters.count(of: .delivered) == 1)
        #expect(journal.counters.count(of: .droppedExpired) == 0)
    }

    @Test func `counters tell refusals apart`() {
        let journal = Journal(capacity: 1)
        journal.append(record(1))
        journal.append(record(2, status: 400, reason: .badTopic))
        journal.append(record(3, status: 400, reason: .badTopic))
        journal.append(record(4, status: 0, decision: .faultSilence))
        journal.append(record(5, status: 201))
        let counters = journal.counters
        #expect(counters.accepted == 2)
        #expect(counters.unanswered == 1)
        #expect(counters.refusals == [JournalCounters.Refusal(status: 400, reason: .badTopic): 2])
        let text = counters.metricsText
        #expect(text.contains("apns_gateway_requests_total{status=\"400\",reason=\"BadTopic\"} 2\n"))
        #expect(text.contains("apns_gateway_requests_total{status=\"200\",reason=\"\"} 2\n"))
        #expect(text.contains("apns_gateway_decisions_total{decision=\"faultSilence\"} 1\n"))
    }

    @Test func `reasons from outside cannot fill the memory or break the metrics`() {
        let journal = Journal(capacity: 1)
        for number in 0..<1000 as Range<UInt64> {
            journal.append(record(number, status: 400, reason: Reason("Odd\"\n\(number)")))
        }
        let counters = journal.counters
        #expect(counters.refusals.count == 257)
        #expect(counters.total == 1000)
        for line in counters.metricsText.split(separator: "\n") {
            #expect(line.hasPrefix("# ") || line.hasPrefix("apns_gateway_"))
        }
    }

    @Test func `a record shows what is known and nothing else`() throws {
        var connection = TestConnection()
        let verdict = connection.push([
            "apns-id": "eabeae54-14a8-11e5-b60b-1697f925ec7b", "apns-priority": "5",
        ])
        let journal = Journal()
        journal.append(
            JournalRecord(
                verdict, decision: .delivered, environment: .sandbox, connection: 9, timeMilliseconds: 12))
        let refused = connection.push([":path": "/x", "apns-push-type": nil])
        journal.append(
            JournalRecord(
                refused, decision: .refused, environment: .production, connection: 9, timeMilliseconds: 13))
        let records = journal.records(JournalQuery())
        let expected: JSONValue = [
            "sequence": 1, "time_ms": 12, "connection": 9, "environment": "sandbox", "operation": "push",
            "apns_id": "eabeae54-14a8-11e5-b60b-1697f925ec7b", "payload_bytes": 22, "status": 200,
            "decision": "delivered", "explanation": "delivered",
            "token": .string(TestConnection.token.lowercased()), "topic": "com.example.app",
            "push_type": "alert", "priority": 5,
        ]
        #expect(records.first?.json == expected)
        let last = try #require(records.last?.json)
        #expect(last["token"] == nil)
        #expect(last["topic"] == nil)
        #expect(last["push_type"] == nil)
        #expect(last["status"] == 404)
        #expect(last["reason"] == "BadPath")
        #expect(last["decision"] == "refused")
    }

    @Test func `threads write and read together`() async {
        let journal = Journal(capacity: 1000)
        await withTaskGroup { group in
            for _ in 0..<3 {
                group.addTask {
                    for number in 0..<5000 as Range<UInt64> { journal.append(record(number)) }
                }
            }
            group.addTask {
                for _ in 0..<50 {
                    let found = sequences(journal, JournalQuery(limit: 500))
                    #expect(found == found.sorted())
                    #expect(Set(found).count == found.count)
                }
            }
        }
        #expect(journal.counters.total == 15_000)
        #expect(journal.newestSequence == 15_000)
    }
}
