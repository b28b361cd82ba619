public import APNs
public import Crypto
public import Transport

/// Sends notifications to APNs over as many connections as they need.
///
/// One client is one pool: for one endpoint and one credential. Keep it for as long as the process
/// runs; Apple takes frequent reconnecting for an attack. Callable from any thread.
///
/// ```swift
/// let key = try SigningKey(p8: contentsOfFile)
/// let source = try ProviderTokenSource(keyID: "ABC123DEFG", teamID: "DEF123GHIJ", signingKey: key)
/// let client = try APNsClient(.init(endpoint: Endpoint(.production), credential: .token(source)))
/// let outcomes = await client.send(notifications)
/// ```
public final class APNsClient: Sendable {
    /// How a client is set up.
    public struct Configuration: Sendable {
        /// Where notifications go.
        public var endpoint: Endpoint
        /// Who sends.
        public var credential: Credential
        /// The most connections that are opened; they are opened only as measured need asks for them.
        public var connectionCountMax: Int
        /// How long one attempt waits for its answer before its stream is reset.
        public var answerTimeout: Duration
        /// How long notifications wait while no connection can be made before they fail.
        public var unreachableAfter: Duration
        /// What is sent again, and when.
        public var retryPolicy: RetryPolicy
        /// A proxy to tunnel through.
        public var proxy: HTTPProxy?
        /// Limits and timeouts of each connection.
        public var connection: HTTP2ConnectionConfiguration
        /// The time of day, for retries within a notification's expiration.
        public var clock: WallClock

        /// Makes a configuration; only endpoint and credential have no default.
        public init(
            endpoint: Endpoint,
            credential: Credential,
            connectionCountMax: Int = 16,
            answerTimeout: Duration = .seconds(30),
            unreachableAfter: Duration = .seconds(60),
            retryPolicy: RetryPolicy = RetryPolicy(),
            proxy: HTTPProxy? = nil,
            connection: HTTP2ConnectionConfiguration = HTTP2ConnectionConfiguration(),
            clock: WallClock = .system
        ) {
            self.endpoint = endpoint
            self.credential = credential
            self.connectionCountMax = connectionCountMax
            self.answerTimeout = answerTimeout
            self.unreachableAfter = unreachableAfter
            self.retryPolicy = retryPolicy
            self.proxy = proxy
            self.connection = connection
            self.clock = clock
        }
    }

    /// What a client is doing now.
    public struct Snapshot: Sendable, Hashable {
        /// Connections that exist, whether they stand yet or not.
        public var connectionCount: Int
        /// Connections that can carry notifications.
        public var readyConnectionCount: Int
        /// Notifications that wait for a connection or for a retry's time.
        public var queuedCount: Int
        /// Why APNs last closed a connection, if it said so.
        public var lastGoAwayReason: Reason?
    }

    private let pool: ConnectionPool
    private let clock: WallClock
    private let ownedLoops: EventLoopGroup?

    /// Makes a client; connections are opened when there is something to send.
    ///
    /// - Parameters:
    ///   - configuration: where to, as whom, and how.
    ///   - loops: the threads to work on, shared with others; nil starts one of the client's own.
    /// - Throws: a `CryptoError` when the credential's key or certificate cannot be used.
    public init(_ configuration: Configuration, loops: EventLoopGroup? = nil) throws(CryptoError) {
        ownedLoops = loops == nil ? EventLoopGroup(count: 1, name: "apns") : nil
        let group = loops ?? ownedLoops ?? EventLoopGroup(count: 1, name: "apns")
        clock = configuration.clock
        pool = try ConnectionPool(configuration: configuration, loops: group)
    }

    deinit {
        pool.close()
        ownedLoops?.shutdown()
    }

    /// Sends notifications and answers when each has ended.
    ///
    /// Cancelling the task ends what has not been put on the wire yet as `cancelled`; what has is still
    /// waited for.
    /// - Parameters:
    ///   - notifications: any number; their payloads are sent as they are.
    ///   - permit: when it ends, what is not on the wire ends as `cancelled` too; nil for no end.
    /// - Returns: exactly one outcome for each notification, in the same order.
    public func send(_ notifications: [Notification], permit: SendPermit? = nil) async -> [Outcome] {
        guard !notifications.isEmpty else { return [] }
        let batch = Batch(
            notifications: notifications, startedAtMilliseconds: clock.millisecondsSince1970, permit: permit)
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                batch.whenFinished { continuation.resume(returning: $0) }
                pool.submit(batch)
            }
        } onCancel: {
            batch.cancel()
            pool.dropCancelled()
        }
    }

    /// Sends one notification.
    public func send(_ notification: Notification) async -> Outcome {
        await send([notification])[0]
    }

    /// What the client is doing now.
    public var snapshot: Snapshot { pool.snapshot }

    /// Sends nothing more: what waits fails, what is on the wire is waited for, connections are closed.
    public func shutdown() async {
        await pool.shutdown()
    }
}
