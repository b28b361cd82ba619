internal import Synchronization

/// A small HTTP/1.1 client, with TLS, for webhooks and for our own tools; on libcurl.
///
/// It follows no redirect, sends no cookie, and reads no proxy from the environment and no `.netrc`. Connections are
/// kept for the next request. All transfers run on one thread of the client's own; callable from any task.
public final class HTTPClient: Sendable {
    /// How a client connects.
    public struct Configuration: Sendable, Hashable {
        /// A PEM file of the certificates to trust instead of the system's.
        public var certificateFile: String?
        /// A proxy such as `http://proxy.example.com:3128`; nil for none.
        public var proxy: String?
        /// How long connecting may take, TLS included.
        public var connectTimeout = Duration.seconds(10)
        /// Transfers that run at once; more wait their turn, and their timeouts do not run yet.
        public var transferCountMax = 64
        /// Connections to one host at once.
        public var connectionCountMaxPerHost = 8
        /// Requests that may wait; more fail at once.
        public var waitingCountMax = 1024
        /// The value of `User-Agent`.
        public var userAgent = "Belfry"

        /// Makes a configuration with everything at its default.
        public init() {}
    }

    private let core: HTTPClientCore

    /// Makes a client; its thread starts with the first request.
    public init(configuration: Configuration = Configuration()) {
        core = HTTPClientCore(configuration: configuration)
    }

    deinit {
        core.close()
    }

    /// Sends a request and receives the answer whole.
    ///
    /// When the task is cancelled the transfer ends with `closed`; the server may have acted all the same.
    /// - Throws: `argument` for a request that cannot be sent, `limit` when too many wait or the answer is too
    ///   large, and what the network layer reports.
    public func send(_ request: HTTPClientRequest) async throws(TransportError) -> HTTPClientResponse {
        try await transfer(request, receive: nil)
    }

    private func transfer(
        _ request: HTTPClientRequest, receive: (@Sendable ([UInt8]) -> Void)?
    ) async throws(TransportError) -> HTTPClientResponse {
        try request.validate()
        let core = core
        let isCancelled = HTTPClientCore.Flag()
        let result: Result<HTTPClientResponse, TransportError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                core.submit(
                    HTTPClientCore.Job(request: request, isCancelled: isCancelled, receive: receive) {
                        continuation.resume(returning: $0)
                    })
            }
        } onCancel: {
            isCancelled.raise()
            core.wake()
        }
        return try result.get()
    }

    /// Sends a request and hands the answer's body over as it comes: for event streams.
    ///
    /// - Parameters:
    ///   - request: its `timeout` is for the whole answer; `responseByteCountMax` for a body that is not handed over.
    ///   - receive: gets each piece of the body of an answer with status 200, in order, on the client's thread: it must
    ///     return at once.
    /// - Returns: the answer when it is over; a body with another status is whole in it.
    /// - Throws: as `send`; `connectionLost` when the connection broke, `closed` when the task was cancelled.
    package func stream(
        _ request: HTTPClientRequest, receive: @escaping @Sendable ([UInt8]) -> Void
    ) async throws(TransportError) -> HTTPClientResponse {
        try await transfer(request, receive: receive)
    }

    /// Ends all transfers with `closed`, and the thread; later requests fail.
    public func close() {
        core.close()
    }
}
