import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Keeps the jobs of one node's tasks until the simulation runs one of them, on its own thread.
///
/// Child tasks and group tasks stay on it. A job that another thread hands in would make a run irreproducible: such
/// jobs are counted, and the simulation fails when there was one.
final class NodeExecutor: TaskExecutor, Sendable {
    private let jobs = Mutex<[UnownedJob]>([])
    private let strayCount = Atomic<Int>(0)
    private let thread = currentThread()

    var isEmpty: Bool { jobs.withLock { $0.isEmpty } }
    var count: Int { jobs.withLock { $0.count } }
    /// How many jobs came from other threads.
    var foreignCount: Int { strayCount.load(ordering: .relaxed) }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        if Self.currentThread() != thread { strayCount.add(1, ordering: .relaxed) }
        jobs.withLock { $0.append(job) }
    }

    /// Runs one of the jobs up to where its task waits.
    ///
    /// - Parameter choose: given a count, says which.
    func runOne(_ choose: (Int) -> Int) {
        let job: UnownedJob? = jobs.withLock { jobs in
            jobs.isEmpty ? nil : jobs.remove(at: choose(jobs.count))
        }
        job?.runSynchronously(on: asUnownedTaskExecutor())
    }

    @inline(never)
    private static func currentThread() -> Int { pthread_self().hashValue }
}
