internal import APNs
internal import PostgreSQL
internal import Recurrence

/// A batch that is about to be written.
struct NewBatch {
    private var push: Int64
    private var app: Int64
    /// Its turn, when it is ready now; nil for one that gets it when its time has come.
    private var turn: Int64?
    /// What all its devices have; one whose devices are not pending is finished.
    private var outcome = DeviceOutcome.pending
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
    ///
    /// - Parameter turn: its turn, when it is ready now; nil for one that gets it when its time has come.
    init(
        _ numbers: [Int64], notBefore: Instant, dueAt: Instant, badges: [Int64]? = nil,
        articles: [Int]? = nil, attemptCount: Int = 0, turn: Int64? = nil,
        outcome: DeviceOutcome = .pending, push: Push
    ) {
        precondition(!numbers.isEmpty, "a batch has a device")
        self.push = push.number
        app = push.app
        self.turn = turn
        self.outcome = outcome
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
    init(tokens: [String], push: Push, notBefore: Instant, attemptCount: Int, turn: Int64? = nil) {
        self.push = push.number
        app = push.app
        self.turn = turn
        self.notBefore = notBefore
        dueAt = push.dueAt
        first = 0
        last = 0
        deviceCount = tokens.count
        self.tokens = PostgreSQLWhereCompiler.text(.array(tokens.map(JSONValue.string)))
        self.attemptCount = attemptCount
    }

    /// As in the column `state`.
    private var state: Int64 { outcome != .pending ? 2 : turn == nil ? 4 : 0 }

    /// Writes batches in one round trip.
    static func insert(_ batches: [NewBatch], now: Instant, _ session: Session) throws {
        guard !batches.isEmpty else { return }
        try session.execute(
            """
            INSERT INTO batches (number, push, app, turn, state, not_before, due_at, first, last, device_count,
                pending_count, finished_at, installations, tokens, outcomes, badges, articles, attempts)
            SELECT $1 + nextval('batch_numbers'), push, app, turn, state::smallint, not_before, due_at, first, last,
                device_count, CASE state WHEN 2 THEN 0 ELSE device_count END, CASE state WHEN 2 THEN $2::bigint END,
                installations, tokens, outcomes, badges, articles, attempts
            FROM unnest($3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17) AS b(push, app, turn,
                state, not_before, due_at, first, last, device_count, installations, tokens, outcomes, badges,
                articles, attempts)
            """,
            [
                .integer(PostgreSQLDay.batchBase(at: now)), .integer(now.millisecondsSince1970),
                .integers(batches.map(\.push)), .integers(batches.map(\.app)),
                .integers(batches.map { $0.turn ?? 0 }), .integers(batches.map(\.state)),
                .integers(batches.map(\.notBefore.millisecondsSince1970)),
                .integers(batches.map(\.dueAt.millisecondsSince1970)), .integers(batches.map(\.first)),
                .integers(batches.map(\.last)), .integers(batches.map { Int64($0.deviceCount) }),
                .blobs(batches.map(\.installations)), .texts(batches.map(\.tokens)),
                .blobs(batches.map { Array(repeating: $0.outcome.rawValue, count: $0.deviceCount) }),
                .blobs(batches.map(\.badges)), .blobs(batches.map(\.articles)),
                .integers(batches.map { Int64($0.attemptCount) }),
            ])
    }
}
