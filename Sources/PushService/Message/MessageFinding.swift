public import APNs

/// Something in a message that will go wrong or is likely not meant.
public struct MessageFinding: Sendable, Hashable {
    /// How bad it is.
    public var severity: LintFinding.Severity
    /// Which check found it; a stable name for scripts.
    public var rule: String
    /// Where: a key of the request (`data.ios.badge`), of the payload (`aps.alert`), or a header.
    public var keyPath: String
    /// What was found, and how to mend it.
    public var message: String
    /// The languages whose payloads have it; empty for all.
    public var languages: [String]

    /// Makes a finding from its parts.
    public init(
        severity: LintFinding.Severity, rule: String, keyPath: String, message: String,
        languages: [String] = []
    ) {
        self.severity = severity
        self.rule = rule
        self.keyPath = keyPath
        self.message = message
        self.languages = languages
    }
}
