import Testing

@testable import VirtualPhone

/// The life of an app, event by event.
@Suite struct LifecycleTests {
    /// The shortest way into each state.
    static func life(in state: AppState, lastEnd: EndReason = .neverLaunched) -> AppLifecycle {
        var life = AppLifecycle()
        let events: [AppLifecycle.Event] =
            switch (state, lastEnd) {
            case (.notInstalled, _): []
            case (.notRunning, .neverLaunched): [.installed]
            case (.notRunning, .forceQuit): [.installed, .opened, .forceQuit]
            case (.notRunning, .crash): [.installed, .opened, .crashed]
            case (.notRunning, .reboot): [.installed, .opened, .rebooted]
            case (.notRunning, .system): [.installed, .opened, .left, .suspended, .terminated]
            case (.active, _): [.installed, .opened]
            case (.inactive, _): [.installed, .opened, .covered]
            case (.background, _): [.installed, .opened, .left]
            case (.suspended, _): [.installed, .opened, .left, .suspended]
            }
        for event in events { #expect(life.handle(event) != nil) }
        #expect(life.state == state)
        if state == .notRunning { #expect(life.lastEnd == lastEnd) }
        return life
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var from: AppState
        var event: AppLifecycle.Event
        var to: AppState
        var steps: [AppLifecycle.Step]?
        var lastEnd = EndReason.neverLaunched

        var testDescription: String { "\(from) \(event)" }
    }

    static let rows: [Row] = [
        Row(from: .notInstalled, event: .opened, to: .notInstalled, steps: nil),
        Row(from: .notInstalled, event: .woken(byUser: true), to: .notInstalled, steps: nil),
        Row(from: .notInstalled, event: .installed, to: .notRunning, steps: []),
        Row(from: .notRunning, event: .installed, to: .notRunning, steps: nil),
        Row(
            from: .notRunning, event: .opened, to: .active,
            steps: [
                .start(.inactive), .call(.didFinishLaunching, .inactive), .handOver(.inactive),
                .call(.didBecomeActive, .active),
            ]),
        Row(
            from: .notRunning, event: .woken(byUser: false), to: .background,
            steps: [.start(.background), .call(.didFinishLaunching, .background), .handOver(.background)]),
        Row(
            from: .notRunning, event: .woken(byUser: false), to: .background,
            steps: [.start(.background), .call(.didFinishLaunching, .background), .handOver(.background)],
            lastEnd: .system),
        Row(
            from: .notRunning, event: .woken(byUser: false), to: .background,
            steps: [.start(.background), .call(.didFinishLaunching, .background), .handOver(.background)],
            lastEnd: .crash),
        Row(
            from: .notRunning, event: .woken(byUser: false), to: .notRunning, steps: nil, lastEnd: .forceQuit),
        Row(
            from: .notRunning, event: .woken(byUser: true), to: .background,
            steps: [.start(.background), .call(.didFinishLaunching, .background), .handOver(.background)],
            lastEnd: .forceQuit),
        Row(from: .notRunning, event: .left, to: .notRunning, steps: nil),
        Row(from: .notRunning, event: .terminated, to: .notRunning, steps: nil),
        Row(from: .notRunning, event: .forceQuit, to: .notRunning, steps: nil),
        Row(from: .notRunning, event: .uninstalled, to: .notInstalled, steps: [.erase]),
        Row(from: .active, event: .opened, to: .active, steps: [.handOver(.active)]),
        Row(from: .active, event: .woken(byUser: false), to: .active, steps: [.handOver(.active)]),
        Row(
            from: .active, event: .left, to: .background,
            steps: [.call(.willResignActive, .active), .call(.didEnterBackground, .background)]),
        Row(from: .active, event: .covered, to: .inactive, steps: [.call(.willResignActive, .active)]),
        Row(from: .active, event: .uncovered, to: .active, steps: nil),
        Row(from: .active, event: .suspended, to: .active, steps: nil),
        Row(from: .active, event: .terminated, to: .notRunning, steps: [.end]),
        Row(from: .active, event: .crashed, to: .notRunning, steps: [.end]),
        Row(
            from: .active, event: .forceQuit, to: .notRunning,
            steps: [
                .call(.willResignActive, .active), .call(.didEnterBackground, .background),
                .call(.willTerminate, .background), .end,
            ]),
        Row(from: .active, event: .uninstalled, to: .notInstalled, steps: [.end, .erase]),
        Row(from: .active, event: .rebooted, to: .notRunning, steps: [.end]),
        Row(from: .inactive, event: .uncovered, to: .active, steps: [.call(.didBecomeActive, .active)]),
        Row(from: .inactive, event: .left, to: .background, steps: [.call(.didEnterBackground, .background)]),
        Row(
            from: .inactive, event: .opened, to: .active,
            steps: [.handOver(.inactive), .call(.didBecomeActive, .active)]),
        Row(from: .inactive, event: .covered, to: .inactive, steps: nil),
        Row(
            from: .background, event: .opened, to: .active,
            steps: [
                .call(.willEnterForeground, .background), .handOver(.inactive),
                .call(.didBecomeActive, .active),
            ]),
        Row(
            from: .background, event: .woken(byUser: false), to: .background,
            steps: [.handOver(.background)]),
        Row(from: .background, event: .suspended, to: .suspended, steps: []),
        Row(
            from: .background, event: .terminated, to: .notRunning,
            steps: [.call(.willTerminate, .background), .end]),
        Row(from: .background, event: .crashed, to: .notRunning, steps: [.end]),
        Row(
            from: .suspended, event: .opened, to: .active,
            steps: [
                .call(.willEnterForeground, .background), .handOver(.inactive),
                .call(.didBecomeActive, .active),
            ]),
        Row(
            from: .suspended, event: .woken(byUser: false), to: .background,
            steps: [.handOver(.background)]),
        Row(from: .suspended, event: .terminated, to: .notRunning, steps: [.end]),
        Row(from: .suspended, event: .forceQuit, to: .notRunning, steps: [.end]),
        Row(from: .suspended, event: .left, to: .suspended, steps: nil),
    ]

    @Test(arguments: rows) func `an event leads from a state to the next, with these calls`(_ row: Row) {
        var life = Self.life(in: row.from, lastEnd: row.lastEnd)
        #expect(life.handle(row.event) == row.steps)
        #expect(life.state == row.to)
    }

    @Test func `a restart of the phone forgets that the user swiped the app away`() {
        var life = Self.life(in: .notRunning, lastEnd: .forceQuit)
        #expect(life.handle(.rebooted) == [])
        #expect(life.lastEnd == .reboot)
        #expect(life.handle(.woken(byUser: false))?.first == .start(.background))
    }

    @Test func `no order of events ends anywhere but in a state of the table`() {
        let events: [AppLifecycle.Event] = [
            .installed, .uninstalled, .opened, .woken(byUser: false), .woken(byUser: true), .left, .covered,
            .uncovered, .suspended, .terminated, .forceQuit, .crashed, .rebooted,
        ]
        var random = SeededRandom(seed: 7)
        var life = AppLifecycle()
        var isRunning = false
        for _ in 0..<20_000 {
            let before = life
            guard let event = events.randomElement(using: &random) else { return }
            guard let steps = life.handle(event) else {
                #expect(life == before)
                continue
            }
            for step in steps {
                switch step {
                case .start:
                    #expect(!isRunning)
                    isRunning = true
                case .call, .handOver: #expect(isRunning)
                case .end:
                    #expect(isRunning)
                    isRunning = false
                case .erase: #expect(!isRunning)
                }
            }
            #expect(isRunning == life.state.isRunning)
        }
    }
}
