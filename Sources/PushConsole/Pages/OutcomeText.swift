internal import APNs
internal import PushStore

/// What outcomes and states are called on pages.
enum OutcomeText {
    /// How a count looks.
    enum Tone: String {
        case good, bad, warn, plain
    }

    /// What to do about an outcome, in words; nil where its name says all.
    static func advice(_ outcome: DeviceOutcome) -> Phrase? {
        switch outcome {
        case .accepted: .adviceAccepted
        case .unanswered: .adviceUnanswered
        case .expired: .adviceExpired
        case .cancelled: .adviceCancelled
        case .capped: .adviceCapped
        case .skipped: .adviceSkipped
        case .malformedToken: .adviceMalformed
        case .noCredential: .adviceNoCredential
        case .unreachable: .adviceUnreachable
        case .nothingNew: .adviceNothingNew
        case .invalidContent: .adviceInvalidContent
        case .pending: .advicePending
        default:
            switch outcome.reason?.disposition {
            case .never: outcome.isInvalidToken ? .adviceBadToken : .adviceNever
            case .fix: .adviceFix
            case .renew, .later: .adviceLater
            default: nil
            }
        }
    }

    static func tone(_ outcome: DeviceOutcome) -> Tone {
        switch outcome {
        case .accepted: .good
        case .pending, .cancelled, .skipped, .capped, .nothingNew, .expired: .plain
        default: outcome.reason?.disposition == .fix || outcome == .noCredential ? .bad : .warn
        }
    }

    /// A name for people; APNs' reasons keep theirs.
    static func name(_ outcome: DeviceOutcome, _ language: Language) -> String {
        let phrase: Phrase? =
            switch outcome {
            case .pending: .outcomePending
            case .accepted: .outcomeAccepted
            case .unanswered: .outcomeUnanswered
            case .expired: .outcomeExpired
            case .cancelled: .outcomeCancelled
            case .capped: .outcomeCapped
            case .skipped: .outcomeSkipped
            case .malformedToken: .outcomeMalformed
            case .noCredential: .outcomeNoCredential
            case .unreachable: .outcomeUnreachable
            case .nothingNew: .outcomeNothingNew
            case .invalidContent: .outcomeInvalidContent
            case .refusedOtherwise: .outcomeRefused
            default: nil
            }
        return phrase?.text(in: language) ?? outcome.name
    }

    static func state(_ state: Push.State) -> (phrase: Phrase, tone: String) {
        switch state {
        case .scheduled: (.stateScheduled, "plain")
        case .running: (.stateRunning, "live")
        case .paused: (.statePaused, "warn")
        case .done: (.stateDone, "good")
        case .cancelled: (.stateCancelled, "plain")
        }
    }

    /// A state as a small label.
    static func badge(_ state: Push.State, _ language: Language) -> Node {
        let shown = Self.state(state)
        return span(.class("badge \(shown.tone)")) { shown.phrase.text(in: language) }
    }
}
