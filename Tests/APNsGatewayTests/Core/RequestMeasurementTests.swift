import APNs
import APNsGateway
import Testing

struct RequestMeasurementTests {
    /// Only informs about time: the machine may be busy. Run with `-c release` for a figure that means something.
    @Test func `a push is judged and journalled in a microsecond or so`() {
        let fields: [(name: String, value: String)] = [
            (":method", "POST"), (":scheme", "https"), (":authority", "localhost:2197"),
            (":path", "/3/device/" + TestConnection.token), ("authorization", Provider().authorization()),
            ("apns-topic", TestConnection.topic), ("apns-push-type", "alert"), ("apns-priority", "10"),
            ("apns-id", "eabeae54-14a8-11e5-b60b-1697f925ec7b"), ("apns-expiration", "1760003600"),
            ("content-length", "200"), ("user-agent", "belfry"),
        ]
        var measurement = RequestMeasurement(fields: fields, nowMilliseconds: Provider.nowSeconds * 1000)
        #expect(measurement.run(count: 1000) == 1000)
        // The fastest of many short runs, which other work on the machine disturbs least.
        #if DEBUG
        let (rounds, count) = (2, 1000)
        #else
        let (rounds, count) = (300, 10_000)
        #endif
        let fastest = (0..<rounds).map { _ in
            ContinuousClock().measure { #expect(measurement.run(count: count) == count) }
        }.min()
        if let fastest { print("gateway core: \(fastest / count) a push") }
    }

    @Test func `a record is kept in some tens of nanoseconds`() {
        let journal = Journal(capacity: 1000)
        var record = JournalRecord(
            operation: .push, id: ResponseID(generated: NotificationID(high: 1, low: 2)),
            environment: .production, connection: 1, timeMilliseconds: 1, decision: .delivered, status: 200)
        record.token = try? DeviceToken(hex: TestConnection.token)
        record.topic = try? Topic(TestConnection.topic)
        for _ in 0..<2000 { journal.append(record) }
        #if DEBUG
        let (rounds, count) = (2, 1000)
        #else
        let (rounds, count) = (100, 10_000)
        #endif
        let fastest = (0..<rounds).map { _ in
            ContinuousClock().measure { for _ in 0..<count { journal.append(record) } }
        }.min()
        #expect(journal.newestSequence == UInt64(2000 + rounds * count))
        if let fastest { print("journal: \(fastest / count) a record") }
    }
}
