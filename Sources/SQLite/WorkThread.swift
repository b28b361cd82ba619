internal import CSQLite

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

/// A thread that runs jobs one after the other, so that blocking calls never occupy Swift's cooperative pool.
///
/// `@unchecked Sendable`: `mutex` guards `state`; the three C objects live from `init` to `deinit`, and the thread
/// holds a strong reference until it has ended. (Synchronization has no condition variable in 6.3.)
final class WorkThread: @unchecked Sendable {
    typealias Job = @Sendable () -> Void

    private struct Delayed {
        var due: UInt64
        var job: Job
    }

    private struct State {
        /// Jobs in order; those before `next` have been taken.
        var ready: [Job?] = []
        var next = 0
        var delayed: [Delayed] = []
        var isClosing = false
        var hasEnded = false

        var pendingCount: Int { ready.count - next + delayed.count }

        mutating func takeFirst() -> Job? {
            guard next < ready.count else { return nil }
            let job = ready[next]
            ready[next] = nil
            next += 1
            if next == ready.count {
                ready.removeAll(keepingCapacity: ready.count <= 1_024)
                next = 0
            } else if next >= 1_024, next * 2 >= ready.count {
                ready.removeFirst(next)
                next = 0
            }
            return job
        }

        mutating func moveDue(at now: UInt64) {
            guard delayed.contains(where: { $0.due <= now }) else { return }
            ready.append(contentsOf: delayed.filter { $0.due <= now }.map(\.job))
            delayed.removeAll { $0.due <= now }
        }
    }

    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>
    private let pendingCountMax: Int
    private var state = State()

    /// Starts the thread.
    init(pendingCountMax: Int) throws(SQLiteError) {
        self.pendingCountMax = pendingCountMax
        mutex = .allocate(capacity: 1)
        condition = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        condition.initialize(to: pthread_cond_t())
        pthread_mutex_init(mutex, nil)
        MonotonicTime.initialize(condition)
        guard Self.start(Unmanaged.passRetained(self).toOpaque()) else {
            Unmanaged.passUnretained(self).release()
            throw SQLiteError(code: .overloaded, message: "the system does not allow one more thread")
        }
    }

    deinit {
        pthread_mutex_destroy(mutex)
        pthread_cond_destroy(condition)
        mutex.deallocate()
        condition.deallocate()
    }

    enum Submission {
        case taken, full, closed
    }

    /// Queues a job, at once or after a delay.
    func submit(after delayMilliseconds: Int = 0, _ job: @escaping Job) -> Submission {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        guard !state.isClosing else { return .closed }
        guard state.pendingCount < pendingCountMax else { return .full }
        if delayMilliseconds > 0 {
            let due = MonotonicTime.now() + UInt64(delayMilliseconds) * 1_000_000
            state.delayed.append(Delayed(due: due, job: job))
        } else {
            state.ready.append(job)
        }
        pthread_cond_broadcast(condition)
        return .taken
    }

    /// Takes no more jobs; the thread runs what waits, delayed jobs too, then `last`, and ends.
    func close(last: @escaping Job) -> Bool {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        guard !state.isClosing else { return false }
        state.isClosing = true
        state.ready.append(contentsOf: state.delayed.sorted { $0.due < $1.due }.map(\.job))
        state.delayed.removeAll()
        state.ready.append(last)
        pthread_cond_broadcast(condition)
        return true
    }

    /// Blocks the caller until the thread has run everything after `close`.
    func waitUntilEnded() {
        pthread_mutex_lock(mutex)
        while !state.hasEnded { pthread_cond_wait(condition, mutex) }
        pthread_mutex_unlock(mutex)
    }

    private func run() {
        while let job = nextJob() { job() }
        pthread_mutex_lock(mutex)
        state.hasEnded = true
        pthread_cond_broadcast(condition)
        pthread_mutex_unlock(mutex)
    }

    /// Waits for work; nil once closed and empty.
    private func nextJob() -> Job? {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while true {
            let now = state.delayed.isEmpty ? 0 : MonotonicTime.now()
            state.moveDue(at: now)
            if let job = state.takeFirst() { return job }
            if state.isClosing { return nil }
            if let due = state.delayed.map(\.due).min() {
                MonotonicTime.wait(condition, mutex, nanoseconds: due > now ? due - now : 0)
            } else {
                pthread_cond_wait(condition, mutex)
            }
        }
    }

    /// Starts a detached thread that owns the retained object behind `context`.
    private static func start(_ context: UnsafeMutableRawPointer) -> Bool {
        #if canImport(Darwin)
        var identifier: pthread_t?
        let result = pthread_create(&identifier, nil, { WorkThread.main($0) }, context)
        if let identifier, result == 0 { pthread_detach(identifier) }
        #else
        var identifier = pthread_t()
        let result = pthread_create(&identifier, nil, { WorkThread.main($0) }, context)
        if result == 0 { pthread_detach(identifier) }
        #endif
        return result == 0
    }

    private static func main(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        guard let argument else { return nil }
        belfry_sqlite_name_thread("sqlite")
        Unmanaged<WorkThread>.fromOpaque(argument).takeRetainedValue().run()
        return nil
    }
}
