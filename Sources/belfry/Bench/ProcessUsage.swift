#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

/// What the process has used so far.
struct ProcessUsage: Sendable {
    /// CPU time of all threads, user and system together.
    var cpu: Duration
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
        return ProcessUsage(cpu: cpu, residentByteCount: residentByteCount() ?? Int(usage.ru_maxrss))
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
