/// A bar on a terminal for work that takes more than a second; nothing anywhere else.
struct ProgressBar: Sendable {
    private let console: Console
    private let total: Int
    private let clock = ContinuousClock()
    private let startedAt: ContinuousClock.Instant
    private var shownAt: ContinuousClock.Instant?

    private static let columns = 30
    private static let delay = Duration.seconds(1)
    private static let interval = Duration.milliseconds(100)

    init(total: Int, console: Console) {
        self.total = max(total, 1)
        self.console = console
        startedAt = clock.now
    }

    /// Says how much is done.
    mutating func update(_ done: Int, _ note: String = "") {
        let now = clock.now
        guard console.isErrorTerminal, now - startedAt > Self.delay else { return }
        if let shownAt, now - shownAt < Self.interval { return }
        shownAt = now
        let filled = min(done, total) * Self.columns / total
        let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: Self.columns - filled)
        console.writeError("\r[\(bar)] \(min(done, total) * 100 / total) % \(note)\u{1B}[K")
    }

    /// Takes the bar away.
    func finish() {
        if shownAt != nil { console.writeError("\r\u{1B}[K") }
    }
}
