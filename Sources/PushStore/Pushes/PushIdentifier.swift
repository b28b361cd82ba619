internal import Crypto

/// Ids of pushes: 16 letters and digits, as LeanCloud's are.
enum PushIdentifier {
    /// A new id.
    static func random() -> String { RandomText.alphanumeric(count: 16) }
}
