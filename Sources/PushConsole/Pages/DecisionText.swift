/// What the gateway did with a request, in the console's languages.
enum DecisionText {
    /// By the beginning of the gateway's own words, which may say more after it.
    private static let phrases: [(english: String, phrase: Phrase)] = [
        ("refused: the device token is not", .decisionMalformedToken),
        ("refused: no device has this token", .decisionUnknownToken),
        ("refused: the token belongs to the other environment", .decisionOtherEnvironment),
        ("refused: the token belongs to another topic", .decisionOtherTopic),
        ("refused: the token is dead", .decisionDeadToken),
        ("refused: too many pushes", .decisionRate), ("refused: test token", .decisionTestToken),
        ("refused by a fault", .decisionFaultReason), ("not processed: GOAWAY", .decisionFaultGoAway),
        ("not processed: stream reset", .decisionFaultReset),
        ("not processed, not answered", .decisionFaultSilence),
        ("not processed: connection cut", .decisionFaultDrop), ("refused", .decisionRefused),
        ("accepted: no such device", .decisionNoDevice), ("delivered", .decisionDelivered),
        ("stored: device offline", .decisionOffline), ("stored: device saves power", .decisionPowerSaving),
        ("stored: an earlier", .decisionInFlight), ("held by the device", .decisionHeld),
        ("dropped: expired", .decisionExpired), ("dropped: the device could not", .decisionNotStorable),
        ("dropped: notifications are off", .decisionDisabled),
        ("dropped: the app is deleted", .decisionDeleted), ("dropped: a newer", .decisionReplaced),
        ("dropped on the device", .decisionOnDevice), ("done", .decisionDone),
    ]

    /// A decision's text in a language; as it is where there is none.
    static func text(_ decision: String, in language: Language) -> String {
        guard language != .english, let found = phrases.first(where: { decision.hasPrefix($0.english) })
        else {
            return decision
        }
        return found.phrase.text(in: language)
    }
}
