internal import Recurrence

/// What is known of the user's permission and wish, and what a request for permission leads to.
///
///     request ──▶ decide ──▶ answer                       (allowed, denied, or too soon after a "not now")
///                       └──▶ askSoftly ──(no)──▶ postponed
///                       └──▶ askSystem ◀─(yes)─┘
struct PermissionMachine: Sendable {
    /// What survives the process.
    struct Record: Hashable, Sendable, Codable {
        var isWanted = true
        var permission: NotificationPermission?
        /// When the user said "not now" to the app's own question, in milliseconds since 1970.
        var postponedAtMilliseconds: Int64?
    }

    enum Step: Hashable, Sendable {
        case answer(PermissionOutcome)
        /// Ask the app's own question, then the system.
        case askSoftly
    }

    private(set) var record: Record

    init(_ record: Record = Record()) {
        self.record = record
    }

    var permission: NotificationPermission {
        record.permission ?? NotificationPermission(status: .notDetermined)
    }

    var pushSwitch: PushSwitch { PushSwitch(isWanted: record.isWanted, permission: permission) }

    /// The system was asked what it allows.
    ///
    /// - Returns: nil when nothing is different.
    mutating func read(_ permission: NotificationPermission) -> PermissionChange? {
        guard permission != record.permission else { return nil }
        defer { record.permission = permission }
        return PermissionChange(old: record.permission, new: permission)
    }

    /// The user moved the app's own switch.
    ///
    /// - Returns: whether that is different.
    mutating func setWanted(_ isWanted: Bool) -> Bool {
        guard isWanted != record.isWanted else { return false }
        record.isWanted = isWanted
        return true
    }

    /// The app wants permission; the permission was read just before.
    ///
    /// - Parameter pauseSeconds: how long a "not now" counts; nil when the user asked for it.
    func request(at now: Instant, pauseSeconds: Int64?) -> Step {
        switch permission.status {
        case .authorized: return .answer(.allowed(permission))
        case .denied: return .answer(.denied)
        case .notDetermined, .provisional, .ephemeral: break
        }
        if let pauseSeconds, let postponed = record.postponedAtMilliseconds {
            // A clock that was set back must not silence the question for ever.
            let age = now.millisecondsSince1970 - postponed
            if age >= 0, age / 1000 < pauseSeconds { return .answer(.postponed) }
        }
        return .askSoftly
    }

    /// The app wants to send quiet notifications without a question.
    ///
    /// - Returns: nil when the system has to be asked.
    func requestQuietly() -> PermissionOutcome? {
        switch permission.status {
        case .notDetermined: nil
        case .denied: .denied
        case .authorized, .provisional, .ephemeral: .allowed(permission)
        }
    }

    /// The user answered the app's own question.
    mutating func answerSoftly(_ isYes: Bool, at now: Instant) {
        record.postponedAtMilliseconds = isYes ? nil : now.millisecondsSince1970
    }
}
