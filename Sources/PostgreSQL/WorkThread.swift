internal import CPostgreSQL

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

/// A thread that runs jobs one after the other, so that blocking calls never occupy Swift's cooperative pool.
///
/// `@unchecked Sendable`: `mutex` guards `state`; the two C objects live from `init` to `deinit`, and the thread
/// holds a strong reference until it has ended. (Synchronization has no condition variable in 6.3.)
final class WorkThread: @unchecked Sendable {
    typealias Job = @Sendable () -> Void

    private struct State {
        /// Jobs in order; those before `next` have been taken.
        var jobs: [Job?] = []
        var next = 0
        var isClosing = false

        var pendingCount: Int { jobs.count - next }

        mutating func takeFirst() -> Job? {
            guard next < jobs.count else { return nil }
            let job = jobs[next]
            jobs[next] = nil
            next += 1
            if next == jobs.count {
                jobs.removeAll(keepingCapacity: jobs.count <= 1_024)
                next = 0
            } else if next >= 1_024, next * 2 >= jobs.count {
                jobs.removeFirst(next)
                next = 0
            }
            return job
        }
    }

    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>
    private let pendingCountMax: Int
    private var state = State()

    /// Starts the thread.
    init(pendingCountMax: Int) throws(PostgreSQLError) {
        self.pendingCountMax = pendingCountMax
        mutex = .allocate(capacity: 1)
        condition = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        condition.initialize(to: pthread_cond_t())
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(condition, nil)
        guard Self.start(Unmanaged.passRetained(self).toOpaque()) else {
            Unmanaged.passUnretained(self).release()
            throw PostgreSQLError(code: .overloaded, message: "the system does not allow one more thread")
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

    /// Queues a job.
    func submit(_ job: @escaping Job) -> Submission {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        guard !state.isClosing else { return .closed }
        guard state.pendingCount < pendingCountMax else { return .full }
        state.jobs.append(job)
        pthread_cond_signal(condition)
        return .taken
    }

    /// Takes no more jobs, and ends the thread once it has run what waits and the last one.
    ///
    /// - Returns: Whether it was open until now.
    func close(last: @escaping Job) -> Bool {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        guard !state.isClosing else { return false }
        state.isClosing = true
        state.jobs.append(last)
        pthread_cond_signal(condition)
        return true
    }

    private func run() {
        while let job = nextJob() { job() }
    }

    /// Waits for work; nil once closed and empty.
    private func nextJob() -> Job? {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while true {
            if let job = state.takeFirst() { return job }
            if state.isClosing { return nil }
            pthread_cond_wait(condition, mutex)
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
        belfry_postgresql_name_thread("postgresql")
        Unmanaged<WorkThread>.fromOpaque(argument).takeRetainedValue().run()
        return nil
    }
}
