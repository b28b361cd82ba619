/// One thing in a payload or its headers that will go wrong or is likely not meant.
public struct LintFinding: Hashable, Sendable, CustomStringConvertible {
    /// How bad a finding is.
    public enum Severity: String, CaseIterable, Hashable, Sendable {
        /// Accepted, but likely not what is meant.
        case warning
        /// Refused by APNs, or without the wanted effect on the device.
        case error
    }

    /// How bad it is.
    public var severity: Severity
    /// Which check found it; the raw value never changes.
    public var rule: LintRule
    /// Where: keys joined by dots, `[]` for array elements; the name of a header; empty for the whole body.
    public var keyPath: String
    /// What was found, with the key's name, and how to mend it.
    public var message: String

    /// Makes a finding from its parts.
    public init(severity: Severity, rule: LintRule, keyPath: String, message: String) {
        self.severity = severity
        self.rule = rule
        self.keyPath = keyPath
        self.message = message
    }

    /// Severity, place, message and rule in one line.
    public var description: String {
        let place = keyPath.isEmpty ? "" : "\(keyPath): "
        return "\(severity.rawValue): \(place)\(message) [\(rule.rawValue)]"
    }
}
