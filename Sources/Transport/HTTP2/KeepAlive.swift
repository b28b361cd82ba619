/// When to ask a silent peer whether it is still there, and when to give it up.
///
/// Pure: the owner tells the time. A connection whose network silently vanished (no reset, no FIN) is
/// found out within `silence + timeout`.
struct KeepAlive {
    /// What the owner has to do.
    enum Action: Hashable {
        case none
        case ping
        case giveUp
    }

    private let silenceMilliseconds: UInt64
    private let busySilenceMilliseconds: UInt64
    private let timeoutMilliseconds: UInt64
    private var heardAt: UInt64
    private var pingedAt: UInt64?
    private var tickedAt: UInt64

    /// Makes the timer.
    ///
    /// - Parameters:
    ///   - silence: after which an idle peer is pinged.
    ///   - busySilence: after which a peer that owes answers is pinged.
    ///   - timeout: for the answer to a ping.
    ///   - now: the current time in milliseconds of any monotonic clock.
    init(silence: Duration, busySilence: Duration, timeout: Duration, now: UInt64) {
        silenceMilliseconds = silence.milliseconds
        busySilenceMilliseconds = busySilence.milliseconds
        timeoutMilliseconds = timeout.milliseconds
        heardAt = now
        tickedAt = now
    }

    /// Any byte from the peer proves that it lives.
    mutating func heard(now: UInt64) {
        heardAt = now
        pingedAt = nil
    }

    /// Looks at the clock; to be called several times within the timeout.
    mutating func tick(now: UInt64, isOwedAnswers: Bool) -> Action {
        // Nobody has looked for long, since this process was stopped or got no processor: the answer may lie in the
        // socket, which is read after the clock is looked at.
        let hasSlept = now > tickedAt && now - tickedAt >= timeoutMilliseconds
        tickedAt = now
        if let pingedAt {
            if hasSlept {
                self.pingedAt = now
                return .none
            }
            return now >= pingedAt + timeoutMilliseconds ? .giveUp : .none
        }
        let patience = isOwedAnswers ? busySilenceMilliseconds : silenceMilliseconds
        guard now >= heardAt + patience else { return .none }
        pingedAt = now
        return .ping
    }
}
