internal import CLibuv
internal import Glibc

/// A thread of our own, for work that blocks: Swift's pool is as wide as the processor and never grows.
enum OwnedThread {
    private final class Body {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) {
            self.run = run
        }
    }

    /// Runs a closure on a new, detached thread that takes no signals.
    ///
    /// - Parameters:
    ///   - name: at most 15 characters are shown by Linux.
    ///   - run: keeps alive what it captures until it returns.
    static func start(name: String, _ run: @escaping @Sendable () -> Void) throws(TransportError) {
        let body = Unmanaged.passRetained(
            Body {
                belfry_set_thread_name(name)
                run()
            })
        var thread = pthread_t()
        let status = withSignalsBlocked {
            pthread_create(
                &thread, nil,
                { argument in
                    guard let argument else { return nil }
                    Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
                    return nil
                }, body.toOpaque())
        }
        guard status == 0 else {
            body.release()
            throw TransportError(.limit, "the system refused to start the thread \(name)")
        }
        pthread_detach(thread)
    }

    /// Threads started meanwhile inherit a mask that leaves the process's signals to others.
    static func withSignalsBlocked<Result>(_ body: () -> Result) -> Result {
        var all = sigset_t()
        var old = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, &old)
        defer { pthread_sigmask(SIG_SETMASK, &old, nil) }
        return body()
    }
}
