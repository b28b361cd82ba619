internal import APNs
internal import PostgreSQL
internal import Recurrence

/// A batch that is about to be written, all of whose devices are pending.
struct NewBatch {
    private var push: Int64
    private var notBefore: Instant
    private var dueAt: Instant
    private var first: Int64
    private var last: Int64
    private var deviceCount: Int
    private var installations: [UInt8]?
    private var tokens: String?
    private var badges: [UInt8]?
    private var articles: [UInt8]?
    private var attemptCount: Int

    /// A batch of installations, whose numbers ascend; at least one.
    init(
        _ numbers: [Int64], notBefore: Instant, dueAt: Instant, badges: [Int64]? = nil,
        articles: [Int]? = nil, attemptCount: Int = 0, push: Int64
    ) {
        precondition(!numbers.isEmpty, "a batch has a device")
        self.push = push
        self.notBefore = notBefore
        self.dueAt = dueAt
        first = numbers.first ?? 0
        last = numbers.last ?? 0
        deviceCount = numbers.count
        installations = NumberList.encode(numbers)
        self.badges = badges.map(NumberList.encodeEach)
        self.articles = articles.map { NumberList.encodeEach($0.map { Int64($0 + 1) }) }
        self.attemptCount = attemptCount
    }

    /// A batch of a push to device tokens.
    init(tokens: [String], push: Push, notBefore: Instant, attemptCount: Int) {
        self.push = push.number
        self.notBefore = notBefore
        dueAt = push.dueAt
        first = 0
        last = 0
        deviceCount = tokens.count
        self.tokens = PostgreSQLWhereCompiler.text(.array(tokens.map(JSONValue.string)))
        self.attemptCount = attemptCount
    }

    /// Writes batches in one round trip.
    static func insert(_ batches: [NewBatch], now: Instant, _ session: Session) throws {
        guard !batches.isEmpty else { return }
        try session.execute(
            """
            INSERT INTO batches (number, push, state, not_before, due_at, first, last, device_count, pending_count,
                installations, tokens, outcomes, badges, articles, attempts)
            SELECT $1 + nextval('batch_numbers'), push, 0, not_before, due_at, first, last, device_count,
                device_count, installations, tokens, outcomes, badges, articles, attempts
            FROM unnest($2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) AS b(push, not_before, due_at, first,
                last, device_count, installations, tokens, outcomes, badges, articles, attempts)
            """,
            [
                .integer(PostgreSQLDay.batchBase(at: now)), .integers(batches.map(\.push)),
                .integers(batches.map(\.notBefore.millisecondsSince1970)),
                .integers(batches.map(\.dueAt.millisecondsSince1970)), .integers(batches.map(\.first)),
                .integers(batches.map(\.last)), .integers(batches.map { Int64($0.deviceCount) }),
                .blobs(batches.map(\.installations)), .texts(batches.map(\.tokens)),
                .blobs(batches.map { Array(repeating: 0, count: $0.deviceCount) }),
                .blobs(batches.map(\.badges)), .blobs(batches.map(\.articles)),
                .integers(batches.map { Int64($0.attemptCount) }),
            ])
    }
}
