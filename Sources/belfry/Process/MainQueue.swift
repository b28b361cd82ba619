internal import Foundation

/// The main thread's work: what runs on the main actor, such as the apps of a simulated phone.
enum MainQueue {
    /// Serves the main queue; never returns.
    ///
    /// Not `dispatchMain`, which ends the main thread on Linux: the process would look like one that is over.
    static func serve() -> Never {
        // A run loop without any source returns at once.
        let timer = Timer(timeInterval: 86_400, repeats: true) { _ in }
        RunLoop.main.add(timer, forMode: .default)
        while true { _ = RunLoop.main.run(mode: .default, before: .distantFuture) }
    }
}
