internal import Dispatch

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

/// The signals of the process, read with `sigwait`: no handler runs inside other code.
enum Signals {
    /// Keeps SIGINT and SIGTERM from every thread that is made after this call, and ignores SIGPIPE.
    ///
    /// Call first thing in `main`: threads inherit the mask of the thread that makes them.
    static func block() {
        signal(SIGPIPE, SIG_IGN)
        var set = stopping()
        pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    /// Hands each signal to `stop`, as long as the process runs.
    static func readOnOwnThread(into stop: StopRequest) {
        let queue = DispatchQueue(label: "belfry.signals")
        queue.async { read(into: stop) }
    }

    private static func read(into stop: StopRequest) -> Never {
        var set = stopping()
        while true {
            var number: Int32 = 0
            guard sigwait(&set, &number) == 0 else { continue }
            if let code = stop.received(number) { exit(code) }
        }
    }

    private static func stopping() -> sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, SIGINT)
        sigaddset(&set, SIGTERM)
        return set
    }
}
