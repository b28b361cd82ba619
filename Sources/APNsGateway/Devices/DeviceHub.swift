internal import Synchronization

/// The registries behind one lock, and everything that follows from a change of them.
///
/// Event loops take the lock once for a batch of requests, the control API once for a request. After the lock is
/// released the hub amends the journal, sends to the streams of watched devices, tells the store that there is
/// something to write, and announces a sooner deadline. Nothing here waits for the disk or a client.
package final class DeviceHub: Sendable {
    private struct State {
        var registries: Registries
        var generator: GatewayRandom
        var streams: [DeviceID: [DeviceStream]] = [:]
        var announcedDeadline: Int64?
    }

    /// The gateway's clock.
    package let clock: any GatewayClock
    private let journal: Journal?
    private let store: GatewayStore?
    private let state: Mutex<State>
    private let deadlineHandler = Mutex<(@Sendable () -> Void)?>(nil)

    /// Makes a hub.
    ///
    /// - Parameters:
    ///   - registries: The state to start with, as the store had it.
    ///   - clock: The gateway's clock.
    ///   - random: Where tokens and ids come from.
    ///   - journal: Learns what became of pushes that waited.
    ///   - store: Saves what changes; nil keeps everything in memory only.
    package init(
        registries: Registries = Registries(), clock: any GatewayClock = SystemGatewayClock(),
        random: GatewayRandom = GatewayRandom(), journal: Journal? = nil, store: GatewayStore? = nil
    ) {
        var registries = registries
        registries.collectsChanges = store != nil
        self.clock = clock
        self.journal = journal
        self.store = store
        state = Mutex(State(registries: registries, generator: random))
        store?.setSource { [weak self] complete in
            self?.state.withLock { $0.registries.takeBatch(complete: complete) } ?? StoreBatch()
        }
    }

    /// Runs a closure with the registries, the random generator and the time, under the lock.
    ///
    /// The closure must be short and must not call the hub.
    package func withRegistries<Success, Failure: Error>(
        _ body: (inout Registries, inout GatewayRandom, _ nowMilliseconds: Int64) throws(Failure) -> Success
    ) throws(Failure) -> Success {
        let now = clock.nowMilliseconds
        var work = FollowUp()
        defer { follow(work) }
        return try state.withLock { state throws(Failure) in
            defer { work = Self.takeFollowUp(&state) }
            return try body(&state.registries, &state.generator, now)
        }
    }

    /// Looks at the registries under the lock; nothing follows.
    package func read<Success, Failure: Error>(
        _ body: (borrowing Registries) throws(Failure) -> Success
    ) throws(Failure) -> Success {
        try state.withLock { state throws(Failure) in try body(state.registries) }
    }

    /// Remembers the journal's number of a push that waits; see ``Registries/remember(journalNumber:for:)``.
    package func remember(journalNumber: UInt64, for notification: DeliverableNotification) {
        state.withLock { $0.registries.remember(journalNumber: journalNumber, for: notification) }
    }

    /// Lets everything happen that is due by the clock, and announces the next deadline in any case: whoever keeps
    /// the timer may have set it too early.
    package func advance() {
        withRegistries { registries, _, now in registries.devices.advance(to: now) }
        deadlineHandler.withLock { $0 }?()
    }

    /// When ``advance()`` has to be called next, in milliseconds since 1970; nil for never.
    package var nextDeadline: Int64? { state.withLock { $0.registries.devices.nextDeadline() } }

    /// Names a closure to call when the next deadline changed or ``advance()`` ran; it asks for ``nextDeadline`` itself.
    package func setDeadlineHandler(_ handler: (@Sendable () -> Void)?) {
        deadlineHandler.withLock { $0 = handler }
        handler?()
    }

    // MARK: Streams

    func add(_ stream: DeviceStream) {
        state.withLock { state in
            state.streams[stream.device, default: []].append(stream)
            state.registries.devices.setWatcherCount(
                stream.device, state.streams[stream.device]?.count ?? 0)
        }
    }

    /// Whether the stream was there, and whether another link to its device is.
    func remove(_ stream: DeviceStream) -> (wasPresent: Bool, hasOtherLink: Bool) {
        state.withLock { state in
            guard let index = state.streams[stream.device]?.firstIndex(where: { $0 === stream }) else {
                return (false, false)
            }
            state.streams[stream.device]?.remove(at: index)
            let rest = state.streams[stream.device] ?? []
            if rest.isEmpty { state.streams[stream.device] = nil }
            state.registries.devices.setWatcherCount(stream.device, rest.count)
            return (true, rest.contains(where: \.isLink))
        }
    }

    /// The open streams of a device, or of all.
    func streams(of device: DeviceID? = nil) -> [DeviceStream] {
        state.withLock { state in
            if let device { state.streams[device] ?? [] } else { state.streams.values.flatMap(\.self) }
        }
    }

    /// The number of open streams.
    package var openStreamCount: Int { streams().count }

    /// Ends every stream; for the end of the gateway.
    package func closeStreams() {
        for stream in streams() { stream.close() }
    }

    // MARK: What follows

    private struct FollowUp {
        var amendments: [(number: UInt64, decision: JournalDecision)] = []
        var rung: [DeviceStream] = []
        var hasChanges = false
        var hasNewDeadline = false
    }

    private static func takeFollowUp(_ state: inout State) -> FollowUp {
        var work = FollowUp()
        work.amendments = state.registries.takeAmendments()
        for device in Set(state.registries.devices.takeRungDevices()) {
            work.rung += state.streams[device] ?? []
        }
        work.hasChanges = state.registries.hasChanges
        let deadline = state.registries.devices.nextDeadline()
        if deadline != state.announcedDeadline {
            state.announcedDeadline = deadline
            work.hasNewDeadline = true
        }
        return work
    }

    private func follow(_ work: FollowUp) {
        for (number, decision) in work.amendments { journal?.amend(number, decision: decision) }
        for stream in work.rung { stream.pump() }
        if work.hasChanges { store?.noteChanges() }
        if work.hasNewDeadline { deadlineHandler.withLock { $0 }?() }
    }
}
