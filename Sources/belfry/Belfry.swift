internal import FoundationEssentials

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

/// The process: the main actor on the main thread, signals on one of their own, the command on Swift's thread pool.
@main
struct Belfry {
    static func main() {
        // Not an `async` main: the mask must be set before the first other thread exists.
        Signals.block()
        let stop = StopRequest()
        let arguments = Array(CommandLine.arguments.dropFirst())
        let line = CommandLineRunner(
            console: .standard, environment: ProcessInfo.processInfo.environment, stop: stop)
        // Ends the process itself; nothing awaits or cancels it.
        Task.detached {
            let status = await line.run(arguments)
            // Not exit(): OpenSSL's cleanup would take away what event loops that are still ending stand on. Nothing is
            // buffered: the console writes at once.
            _exit(status.code)
        }
        Signals.readOnOwnThread(into: stop)
        MainQueue.serve()
    }
}
