public import Recurrence
internal import Synchronization

/// A simulated iPhone: a clock, apps, a screen, a finger, and a link to APNs.
///
///     let phone = try VirtualPhone(at: "2027-03-01T08:00", zone: "Asia/Shanghai")
///     try await phone.install(NewsApp.self)
///     try await phone.open("com.example.News")
///     try await phone.push(["aps": ["alert": "Good morning"]], to: "com.example.News")
///     let banner = try #require(phone.state.banner)
///     try await phone.tap(banner.id)
///     await phone.advance(toNext: "09:00")
///
/// The clock stands until it is moved, unless the phone was made to run with the machine's. Functions that change
/// something return when everything that follows from it is done, the app's callbacks included; reading is always
/// possible. Callable from any thread. Apps run on the main actor, so a process that blocks its main thread cannot use
/// a phone.
public final class VirtualPhone: Sendable {
    /// Entries that a listener can go back to.
    private static let replayCountMax = 1_000

    let contents: Mutex<PhoneContents>
    let processes = ProcessTable()
    /// One task at a time moves the clock.
    let clockLock = AsyncLock()
    /// One call of the link at a time.
    let linkLock = AsyncLock()

    /// Makes a phone without apps.
    ///
    /// - Parameters:
    ///   - name: what it is called.
    ///   - now: what its clock says.
    ///   - zone: the zone it is in.
    ///   - language: the language it is set to, such as `zh-Hans`.
    ///   - isClockRunning: whether the clock runs with the machine's; else it stands until it is moved.
    ///   - permission: what the user answers to apps that ask.
    ///   - isLocked: whether it is locked to begin with.
    ///   - policy: what Apple leaves open.
    ///   - seed: makes its random values (identifiers, tokens without a link) repeat.
    public init(
        name: String = "iPhone", now: Instant, zone: Zone, language: String = "en",
        isClockRunning: Bool = false, permission: PermissionAnswer = .allow, isLocked: Bool = false,
        policy: PhonePolicy = PhonePolicy(), seed: UInt64 = 1
    ) {
        contents = Mutex(
            PhoneContents(
                name: name, clock: PhoneClock(now, isRunning: isClockRunning), zone: zone, language: language,
                policy: policy, permission: permission, isLocked: isLocked, seed: seed))
    }

    /// Makes a phone whose clock shows a time in its zone.
    ///
    /// - Throws: `value` for a time such as "2027-03-01T08:00" that cannot be read or a zone that is unknown.
    public convenience init(
        at time: String, zone: String, name: String = "iPhone", language: String = "en",
        permission: PermissionAnswer = .allow, isLocked: Bool = false, policy: PhonePolicy = PhonePolicy()
    ) throws(PhoneError) {
        let place = try Self.zone(zone)
        guard let civil = CivilDateTime(iso8601: time), let now = place.occurrence(of: civil)?.instant else {
            throw PhoneError(
                .value, "time: found \"\(time.prefix(40))\", allowed: such as 2027-03-01T08:00")
        }
        self.init(
            name: name, now: now, zone: place, language: language, permission: permission, isLocked: isLocked,
            policy: policy)
    }

    static func zone(_ name: String) throws(PhoneError) -> Zone {
        do {
            return try Zone(name)
        } catch {
            throw PhoneError(.value, "zone: \(error.message)")
        }
    }

    // MARK: Looking

    /// The phone as it is.
    public var state: PhoneState { contents.withLock { $0.state } }

    /// The moment by its clock.
    public var now: Instant { contents.withLock { $0.now } }

    /// The zone it is in.
    public var zone: Zone { contents.withLock { $0.zone } }

    /// The language it is set to.
    public var language: String { contents.withLock { $0.language } }

    /// Whether it is locked.
    public var isLocked: Bool { contents.withLock { $0.screen.isLocked } }

    /// Everything that happened, oldest first; the last 100,000 entries.
    public var journal: [JournalEntry] { contents.withLock { $0.journal.entries } }

    /// What happened of one kind.
    public func journal(_ events: JournalEntry.Event...) -> [JournalEntry] {
        journal.filter { events.contains($0.event) }
    }

    /// Calls a closure with each entry of the journal from now on, in order, until `stopListening`.
    ///
    /// It must return at once and not call the phone.
    ///
    /// - Returns: the number to stop with.
    public func listen(_ listener: @escaping @Sendable (JournalEntry) -> Void) -> Int {
        listen(replayingAfter: nil, listener)
    }

    /// Calls a closure with each entry after a number, then with each new one; nil for new ones only.
    func listen(replayingAfter last: Int?, _ listener: @escaping @Sendable (JournalEntry) -> Void) -> Int {
        contents.withLock { contents in
            let number = contents.number()
            if let last {
                for entry in contents.journal.entries.suffix(Self.replayCountMax) where entry.number > last {
                    listener(entry)
                }
            }
            contents.listeners[number] = listener
            return number
        }
    }

    /// Ends `listen`.
    public func stopListening(_ number: Int) { contents.withLock { $0.listeners[number] = nil } }

    /// Waits by the machine's clock until the phone is as a closure wants it: for what comes from outside.
    ///
    /// - Returns: the phone as it then was; nil when the task was cancelled before.
    @discardableResult
    public func wait(until condition: @escaping @Sendable (PhoneState) -> Bool) async -> PhoneState? {
        let id = contents.withLock { $0.number() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer: PhoneState?? = contents.withLock { contents in
                    if Task.isCancelled { return .some(nil) }
                    let state = contents.state
                    if condition(state) { return state }
                    contents.watchers.append(
                        .init(id: id, condition: condition, continuation: continuation))
                    return nil
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            let watcher = contents.withLock { contents -> PhoneContents.Watcher? in
                guard let index = contents.watchers.firstIndex(where: { $0.id == id }) else { return nil }
                return contents.watchers.remove(at: index)
            }
            watcher?.continuation.resume(returning: nil)
        }
    }

    // MARK: Inside

    /// Changes something, starts what follows from it, and wakes who waits for it.
    @discardableResult
    func change<Value, Failure: Error>(
        _ body: (inout PhoneContents) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        let (value, followUp) = try contents.withLock { contents throws(Failure) in
            contents.stamp += 1
            let value = try body(&contents)
            return (value, contents.takeFollowUp())
        }
        follow(followUp)
        return value
    }

    /// Wakes who waits, after a change that was made elsewhere.
    func wakeWaiters() { follow(contents.withLock { $0.takeFollowUp() }) }

    private func follow(_ followUp: PhoneContents.FollowUp) {
        // Ends when the queue of steps is empty.
        if followUp.beginsDraining { Task { @MainActor in await drain() } }
        for waiter in followUp.idleWaiters { waiter.resume() }
        for (watcher, state) in followUp.met { watcher.continuation.resume(returning: state) }
    }

    /// Does something that nobody waits for, except who wants the phone at rest.
    func begin(_ body: @escaping @Sendable () async -> Void) {
        contents.withLock { $0.activityCount += 1 }
        // Ends with the body.
        Task {
            await body()
            change { $0.activityCount -= 1 }
        }
    }

    /// An app that is on the phone.
    func slot(_ app: String) throws(PhoneError) -> PhoneContents.Slot {
        try contents.withLock { contents throws(PhoneError) in try contents.slot(app) }
    }
}

extension PhoneContents {
    /// What has to be done outside the lock after a change.
    struct FollowUp {
        var beginsDraining = false
        var idleWaiters: [CheckedContinuation<Void, Never>] = []
        var met: [(Watcher, PhoneState)] = []
    }

    mutating func takeFollowUp() -> FollowUp {
        var followUp = FollowUp()
        if !steps.isEmpty, !isDraining {
            isDraining = true
            followUp.beginsDraining = true
        }
        if !idleWaiters.isEmpty, isIdle { swap(&followUp.idleWaiters, &idleWaiters) }
        if isChanged, !watchers.isEmpty {
            let state = state
            followUp.met = watchers.filter { $0.condition(state) }.map { ($0, state) }
            let ids = Set(followUp.met.map(\.0.id))
            watchers.removeAll { ids.contains($0.id) }
        }
        isChanged = false
        return followUp
    }

    func slot(_ app: String) throws(PhoneError) -> Slot {
        guard let slot = slots[app] else {
            throw PhoneError(
                .app,
                "found the app \"\(app.prefix(100))\", allowed: "
                    + (order.isEmpty ? "none, no app is installed" : order.joined(separator: ", ")))
        }
        return slot
    }
}
