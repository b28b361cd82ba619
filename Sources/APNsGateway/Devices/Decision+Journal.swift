extension Decision {
    /// The decision as the journal keeps it: without the identifiers and times.
    package var journalDecision: JournalDecision {
        switch self {
        case .delivered: .delivered
        case .stored(.offline, _, _): .storedOffline
        case .stored(.powerSaving, _, _): .storedPowerSaving
        case .stored(.inFlight, _, _): .storedInFlight
        case .held: .held
        case .noDevice: .acceptedWithoutDevice
        case .discarded(let cause): cause.journalDecision
        }
    }
}

extension Decision.DiscardCause {
    fileprivate var journalDecision: JournalDecision {
        switch self {
        case .expired: .droppedExpired
        case .notStorable: .droppedNotStorable
        case .disabled: .droppedDisabled
        case .removalNoticed, .removalUnnoticed, .deadToken, .appDeleted: .droppedAppDeleted
        case .replaced: .droppedReplaced
        case .forceQuit, .deviceForgotten: .droppedOnDevice
        }
    }
}
