internal import FoundationEssentials

/// What the process lends a verb.
struct CommandContext: Sendable {
    var console: Console
    var log: Log
    /// Whether results are printed as JSON.
    var isJSON = false
    /// Where a verb learns that it shall stop.
    var stop: StopRequest
    /// The time in seconds since 1970.
    var now: @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970) }

    /// A fresh context for a test: nothing is printed unless the console says so.
    init(console: Console, log: Log? = nil, isJSON: Bool = false, stop: StopRequest = StopRequest()) {
        self.console = console
        self.log = log ?? Log(write: { console.printError($0) })
        self.isJSON = isJSON
        self.stop = stop
    }
}
