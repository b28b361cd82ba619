/// An error of the library: its kind, and a sentence that names what was found and what is allowed.
public struct BelfryKitError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of the error.
    public var code: Code
    /// A sentence for a developer; it holds no secret and no whole token.
    public var message: String

    /// Makes an error.
    public init(code: Code, message: String) {
        self.code = code
        self.message = message
    }

    init(_ code: Code, _ message: String) { self.init(code: code, message: message) }

    /// Makes an error of a value that is not allowed; a long finding is cut.
    init(_ code: Code, _ field: String, found: some StringProtocol, allowed: String) {
        let isLong = found.count > Self.quoteCountMax
        let cut = isLong ? found.prefix(Self.quoteCountMax) + "…" : String(found)
        self.init(code, "\(field): found '\(cut)'; allowed: \(allowed)")
    }

    /// How many characters of a wrong text are repeated.
    static let quoteCountMax = 40

    /// The code and the message.
    public var description: String { "\(code): \(message)" }

    /// The kind of an error; an open set: each part of the library adds its own.
    public struct Code: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
        /// The code's name.
        public let rawValue: String

        /// Makes a code of its name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The code's name.
        public var description: String { rawValue }
    }
}
