internal import CCurl
internal import Synchronization

/// The queue in front of a client's thread, and the thread's loop.
final class HTTPClientCore: Sendable {
    /// Whether a caller has given up.
    final class Flag: Sendable {
        private let value = Atomic(false)

        var isRaised: Bool { value.load(ordering: .acquiring) }

        func raise() {
            value.store(true, ordering: .releasing)
        }
    }

    /// One request and who waits for it.
    struct Job: Sendable {
        let request: HTTPClientRequest
        let isCancelled: Flag
        /// Takes the body as it comes, in place of the answer.
        let receive: (@Sendable ([UInt8]) -> Void)?
        /// Called once.
        let finish: @Sendable (Result<HTTPClientResponse, TransportError>) -> Void
    }

    private struct State {
        var waiting: [Job] = []
        var isClosed = false
        var isRunning = false
        /// The address of the handle while the thread may be woken through it.
        var multi: UInt?
    }

    private let configuration: HTTPClient.Configuration
    private let state = Mutex(State())

    /// How long the thread sleeps at most while transfers run; it is woken for everything else.
    private static let pollMilliseconds: Int32 = 1_000

    /// libcurl has to be set up once, before its first use.
    private static let isSetUp = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    init(configuration: HTTPClient.Configuration) {
        self.configuration = configuration
    }

    // MARK: - From any thread

    func submit(_ job: Job) {
        let failure: TransportError? = state.withLock { state in
            if state.isClosed { return TransportError(.closed, "the HTTP client is closed") }
            guard state.waiting.count < configuration.waitingCountMax else {
                return TransportError(.limit, "\(configuration.waitingCountMax) requests wait already")
            }
            if !state.isRunning {
                do throws(TransportError) {
                    try OwnedThread.start(name: "http-client") { [self] in run() }
                    state.isRunning = true
                } catch {
                    return error
                }
            }
            state.waiting.append(job)
            return nil
        }
        if let failure {
            job.finish(.failure(failure))
        } else {
            wake()
        }
    }

    func wake() {
        state.withLock { state in
            if let multi = state.multi { _ = curl_multi_wakeup(UnsafeMutableRawPointer(bitPattern: multi)) }
        }
    }

    func close() {
        state.withLock { $0.isClosed = true }
        wake()
    }

    // MARK: - On the thread

    private func run() {
        guard Self.isSetUp, let multi = curl_multi_init() else {
            return end(TransportError(.limit, "libcurl could not be set up"))
        }
        _ = belfry_curl_limit_connections(
            multi, configuration.transferCountMax, configuration.connectionCountMaxPerHost)
        state.withLock { $0.multi = UInt(bitPattern: multi) }
        var transfers: [UnsafeMutableRawPointer: HTTPTransfer] = [:]
        while begin(&transfers, multi) {
            var runningCount: Int32 = 0
            _ = curl_multi_perform(multi, &runningCount)
            var code = CURLE_OK
            while let easy = belfry_curl_next_finished(multi, &code) {
                curl_multi_remove_handle(multi, easy)
                transfers.removeValue(forKey: easy)?.finish(code)
            }
            let isFull = transfers.count >= configuration.transferCountMax
            let mayBegin = state.withLock { !$0.waiting.isEmpty && !isFull }
            if !mayBegin { _ = curl_multi_poll(multi, nil, 0, Self.pollMilliseconds, nil) }
        }
        let error = TransportError(.closed, "the HTTP client was closed")
        for (easy, transfer) in transfers {
            curl_multi_remove_handle(multi, easy)
            transfer.job.finish(.failure(error))
        }
        // Nobody wakes the handle from here on.
        state.withLock { $0.multi = nil }
        curl_multi_cleanup(multi)
        end(error)
    }

    /// Ends what was given up and begins what waits; false when the client is closed.
    private func begin(
        _ transfers: inout [UnsafeMutableRawPointer: HTTPTransfer], _ multi: UnsafeMutableRawPointer
    ) -> Bool {
        let cancelled = TransportError(.closed, "the request was cancelled")
        for (easy, transfer) in transfers where transfer.job.isCancelled.isRaised {
            curl_multi_remove_handle(multi, easy)
            transfers[easy] = nil
            transfer.job.finish(.failure(cancelled))
        }
        let room = configuration.transferCountMax - transfers.count
        let (isClosed, next, givenUp) = state.withLock { state -> (Bool, [Job], [Job]) in
            let givenUp = state.waiting.filter(\.isCancelled.isRaised)
            state.waiting.removeAll { $0.isCancelled.isRaised }
            let next = Array(state.waiting.prefix(max(0, room)))
            state.waiting.removeFirst(next.count)
            return (state.isClosed, next, givenUp)
        }
        for job in givenUp { job.finish(.failure(cancelled)) }
        for job in next {
            do throws(TransportError) {
                let transfer = try HTTPTransfer(job, configuration)
                guard curl_multi_add_handle(multi, transfer.easy) == CURLM_OK else {
                    throw TransportError(.limit, "libcurl took no further transfer")
                }
                transfers[transfer.easy] = transfer
            } catch {
                job.finish(.failure(error))
            }
        }
        return !isClosed
    }

    /// Fails what waits; the thread is at its end.
    private func end(_ error: TransportError) {
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            state.isClosed = true
            return state.waiting
        }
        for job in waiting { job.finish(.failure(error)) }
    }
}
