/// An error of a rule, a schedule, a civil time or a zone: the field, what was found, what is allowed.
public struct RecurrenceError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of the error.
    public var code: Code
    /// The part that is wrong: a part of a rule (`BYHOUR`), or a property (`zone`, `start`).
    public var field: String
    /// A sentence for a person that names the field, what was found and what is allowed.
    public var message: String

    /// Makes an error with a whole message.
    public init(code: Code, field: String, message: String) {
        self.code = code
        self.field = field
        self.message = message
    }

    /// Makes an error of a value that cannot be read or is out of range.
    init(_ field: String, found: some StringProtocol, allowed: String) {
        self.init(.invalidValue, field, found: found, allowed: allowed)
    }

    /// Makes an error of what was found and what is allowed; a long finding is cut.
    init(_ code: Code, _ field: String, found: some StringProtocol, allowed: String) {
        let cut = found.count > Self.quoteCountMax ? found.prefix(Self.quoteCountMax) + "…" : String(found)
        self.init(code: code, field: field, message: "\(field): found '\(cut)'; allowed: \(allowed)")
    }

    /// How many characters of a wrong text are repeated.
    static let quoteCountMax = 40

    /// The code and the message.
    public var description: String { "\(code): \(message)" }

    /// The kind of an error; an open set, so that kinds can be added.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Name: String {
            case invalidValue, unknownPart, missingPart, repeatedPart, contradiction, unsupported, unknownZone
            case tooLong
        }

        private let name: Name

        private init(_ name: Name) {
            self.name = name
        }

        /// The code's name.
        public var description: String { name.rawValue }

        /// A value cannot be read or is out of range.
        public static let invalidValue = Code(.invalidValue)
        /// A rule has a part that no rule has.
        public static let unknownPart = Code(.unknownPart)
        /// A part that every rule needs is not there.
        public static let missingPart = Code(.missingPart)
        /// A part is given twice.
        public static let repeatedPart = Code(.repeatedPart)
        /// Two parts may not stand together.
        public static let contradiction = Code(.contradiction)
        /// A part of RFC 5545 that this module does not have.
        public static let unsupported = Code(.unsupported)
        /// No zone of the time zone database has this name.
        public static let unknownZone = Code(.unknownZone)
        /// A text or list is longer than its limit.
        public static let tooLong = Code(.tooLong)
    }
}
