internal import FoundationEssentials

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

/// What the process has used so far.
struct ProcessUsage: Sendable {
    /// CPU time of all threads, user and system together.
    var cpu: Duration
    /// How often the system took the CPU away or a thread waited, all threads together.
    var contextSwitchCount: Int
    /// Memory that is in RAM now, in bytes; on systems other than Linux the most there has been.
    var residentByteCount: Int

    static func now() -> ProcessUsage {
        var usage = rusage()
        #if canImport(Glibc)
        getrusage(RUSAGE_SELF.rawValue, &usage)
        #else
        getrusage(RUSAGE_SELF, &usage)
        #endif
        let cpu = duration(usage.ru_utime) + duration(usage.ru_stime)
        return ProcessUsage(
            cpu: cpu, contextSwitchCount: Int(usage.ru_nvcsw + usage.ru_nivcsw),
            residentByteCount: residentByteCount() ?? Int(usage.ru_maxrss))
    }

    /// CPU time of the threads whose names begin so; nil where the system does not tell (Linux does).
    static func cpu(ofThreadsNamed prefix: String) -> Duration? {
        let tasks = "/proc/self/task"
        guard let ids = try? FileManager.default.contentsOfDirectory(atPath: tasks) else { return nil }
        var sum = Duration.zero
        var isKnown = false
        for id in ids {
            // A thread may have ended meanwhile.
            guard let name = try? InputFile.read("\(tasks)/\(id)/comm"), name.starts(with: prefix.utf8),
                let statistics = try? InputFile.read("\(tasks)/\(id)/schedstat"),
                let nanoseconds = String(decoding: statistics, as: UTF8.self).split(separator: " ").first
            else { continue }
            sum += .nanoseconds(Int64(nanoseconds) ?? 0)
            isKnown = true
        }
        return isKnown ? sum : nil
    }

    private static func duration(_ time: timeval) -> Duration {
        .seconds(Int64(time.tv_sec)) + .microseconds(Int64(time.tv_usec))
    }

    /// The second number of /proc/self/statm counts pages.
    private static func residentByteCount() -> Int? {
        guard let bytes = try? InputFile.read("/proc/self/statm") else { return nil }
        let numbers = String(decoding: bytes, as: UTF8.self).split(separator: " ")
        return numbers.count > 1 ? Int(numbers[1]).map { $0 * Int(sysconf(Int32(_SC_PAGESIZE))) } : nil
    }
}
