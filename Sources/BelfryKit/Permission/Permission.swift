internal import Foundation
public import UserNotifications

/// The user's permission for notifications: asking for it, watching it, and telling the truth about it.
///
/// The system asks the user once. So the app asks first, at a moment when the use is plain, and the system only after
/// a yes. The user may change the answer in Settings at any time; ``refresh()`` reads it again, and the front object
/// calls that whenever the app becomes active.
///
/// Safe from any thread.
public final class Permission: Sendable {
    /// The app's own question; true for yes.
    public typealias SoftQuestion = @MainActor @Sendable () async -> Bool

    /// How long a "not now" counts unless told otherwise, in seconds: a week.
    public static let pauseSecondsDefault: Int64 = 7 * 86_400
    /// Changes that a stream keeps for a reader that is late; then the oldest go.
    private static let changeCountMax = 16

    private struct Contents {
        var machine: PermissionMachine
        var streams: [Int: AsyncStream<NotificationPermission>.Continuation] = [:]
        var nextStream = 0
        var question: Task<Result<PermissionOutcome, BelfryKitError>, Never>?
    }

    private let link: NotificationCenterLink
    private let surroundings: KitSurroundings
    private let stored: StoredValue<PermissionMachine.Record>
    private let contents: Guarded<Contents>
    private let onChange: @Sendable (PermissionChange) async -> Void
    private let onWish: @Sendable (Bool) async -> Void

    init(
        center: UNUserNotificationCenter, surroundings: KitSurroundings,
        onChange: @escaping @Sendable (PermissionChange) async -> Void = { _ in },
        onWish: @escaping @Sendable (Bool) async -> Void = { _ in }
    ) {
        link = NotificationCenterLink(center)
        self.surroundings = surroundings
        stored = StoredValue("belfry.permission", in: surroundings.storage)
        contents = Guarded(Contents(machine: PermissionMachine(stored.load() ?? PermissionMachine.Record())))
        self.onChange = onChange
        self.onWish = onWish
    }

    // MARK: Reading

    /// What was read last; ``refresh()`` reads again.
    public var current: NotificationPermission { contents.withLock { $0.machine.permission } }

    /// The app's switch as it was last read.
    public var pushSwitch: PushSwitch { contents.withLock { $0.machine.pushSwitch } }

    /// Asks the system what it allows now; who waits for changes hears of them before this returns.
    @discardableResult
    public func refresh() async -> NotificationPermission {
        let change: PermissionChange? = await withCheckedContinuation { continuation in
            // Readings are applied in the order in which the system answers, whoever waits for them.
            link.readPermission { [self] permission in continuation.resume(returning: apply(permission)) }
        }
        if let change { await onChange(change) }
        return current
    }

    private func apply(_ permission: NotificationPermission) -> PermissionChange? {
        let (change, streams) = contents.withLock { contents in
            (contents.machine.read(permission), Array(contents.streams.values))
        }
        guard let change else { return nil }
        save()
        for stream in streams { stream.yield(permission) }
        return change
    }

    /// What the user allows, now and whenever a reading finds it changed. Every call gives a stream of its own.
    public var changes: AsyncStream<NotificationPermission> {
        AsyncStream(bufferingPolicy: .bufferingNewest(Self.changeCountMax)) { continuation in
            let number = contents.withLock { contents in
                contents.nextStream += 1
                contents.streams[contents.nextStream] = continuation
                continuation.yield(contents.machine.permission)
                return contents.nextStream
            }
            continuation.onTermination = { [weak self] _ in
                self?.contents.withLock { _ = $0.streams.removeValue(forKey: number) }
            }
        }
    }

    // MARK: Asking

    /// Asks for permission: first the app's own question, and after a yes the system's.
    ///
    /// Nothing is asked when the user has decided already. A provisional permission is asked to become a full one.
    /// While one request runs, others wait for its outcome.
    /// - Parameters:
    ///   - options: what for.
    ///   - pauseSeconds: how long a "not now" counts; nil when the user asked for it, on a settings screen.
    ///   - softQuestion: the app's own question; nil goes straight to the system's.
    /// - Throws: `permission` with what the system says.
    public func request(
        _ options: UNAuthorizationOptions = [.alert, .sound, .badge],
        pauseSeconds: Int64? = Permission.pauseSecondsDefault, softQuestion: SoftQuestion? = nil
    ) async throws(BelfryKitError) -> PermissionOutcome {
        try await shared { [self] () async -> Result<PermissionOutcome, BelfryKitError> in
            await refresh()
            let now = surroundings.time.now
            let step = contents.withLock { $0.machine.request(at: now, pauseSeconds: pauseSeconds) }
            if case .answer(let outcome) = step { return .success(outcome) }
            if let softQuestion {
                let isYes = await softQuestion()
                let now = surroundings.time.now
                contents.withLock { $0.machine.answerSoftly(isYes, at: now) }
                save()
                guard isYes else { return .success(.postponed) }
            }
            return await ask(options.subtracting(.provisional))
        }
    }

    /// Begins quietly: notifications go into the list, and the user decides there. Nobody is asked.
    ///
    /// ``request(_:pauseSeconds:softQuestion:)`` asks for more later.
    /// - Throws: `permission` with what the system says.
    public func requestQuietly(
        _ options: UNAuthorizationOptions = [.alert, .sound, .badge]
    ) async throws(BelfryKitError) -> PermissionOutcome {
        try await shared { [self] () async -> Result<PermissionOutcome, BelfryKitError> in
            await refresh()
            if let outcome = contents.withLock({ $0.machine.requestQuietly() }) { return .success(outcome) }
            return await ask(options.union(.provisional))
        }
    }

    private func ask(_ options: UNAuthorizationOptions) async -> Result<PermissionOutcome, BelfryKitError> {
        do throws(BelfryKitError) {
            _ = try await link.requestAuthorization(options)
            // What the user allows counts, and not the answer alone: a quiet permission answers true, too.
            let permission = await refresh()
            return .success(permission.mayNotify ? .allowed(permission) : .denied)
        } catch {
            return .failure(error)
        }
    }

    /// Runs one question at a time.
    private func shared(
        _ body: @escaping @Sendable () async -> Result<PermissionOutcome, BelfryKitError>
    ) async throws(BelfryKitError) -> PermissionOutcome {
        let question = contents.withLock { contents in
            if let running = contents.question { return running }
            // A question on the screen is not cancelled with who asked it: others may wait for its answer.
            let task = Task { [self] in
                let outcome = await body()
                self.contents.withLock { $0.question = nil }
                return outcome
            }
            contents.question = task
            return task
        }
        return try await question.value.get()
    }

    /// Opens the app's page in Settings; what the user changes there is read when the app becomes active again.
    ///
    /// - Returns: whether it opened.
    @discardableResult
    public func openSettings() async -> Bool { await surroundings.platform.openNotificationSettings() }

    // MARK: The app's own switch

    /// Keeps what the user chose with the app's own switch.
    ///
    /// - Returns: the switch, whose ``PushSwitch/blocker`` says what is still missing.
    @discardableResult
    public func setWanted(_ isWanted: Bool) async -> PushSwitch {
        if contents.withLock({ $0.machine.setWanted(isWanted) }) {
            save()
            await onWish(isWanted)
        }
        await refresh()
        return pushSwitch
    }

    private func save() {
        do throws(BelfryKitError) {
            try stored.save { contents.withLock { $0.machine.record } }
        } catch {
            surroundings.report(error)
        }
    }
}
