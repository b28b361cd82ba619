/// A text that the app's Localizable.strings holds, with arguments in the places of its `%@`.
public struct LocalizedText: Hashable, Sendable {
    /// The key in the app's strings.
    public var key: String
    /// The texts that replace the key's placeholders, in order.
    public var arguments: [String]

    /// Makes a text from its parts.
    public init(key: String, arguments: [String] = []) {
        self.key = key
        self.arguments = arguments
    }
}
