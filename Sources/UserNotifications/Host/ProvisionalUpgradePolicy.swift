/// Whether asking for full permission shows the prompt once a provisional one was given.
public enum ProvisionalUpgradePolicy: String, CaseIterable, Hashable, Sendable {
    /// The default: it does, since the user was never asked.
    case prompts
    /// It does not, and the answer stays yes.
    case keepsProvisional = "keeps-provisional"
}
