internal import Recurrence

extension BelfryKitError.Code {
    /// A key is empty or too long.
    public static let invalidKey = BelfryKitError.Code("invalidKey")
    /// A rule, a time, a weekday or a zone cannot be read or is out of range.
    public static let invalidSchedule = BelfryKitError.Code("invalidSchedule")
    /// A reminder would show, play and count nothing, or carries what cannot be carried.
    public static let invalidContent = BelfryKitError.Code("invalidContent")
    /// A reminder has no occurrence after now, and its policy is to say so.
    public static let pastDate = BelfryKitError.Code("pastDate")
    /// A rule names a day that never comes, such as 30 February.
    public static let neverFires = BelfryKitError.Code("neverFires")
    /// No reminder has this key.
    public static let unknownKey = BelfryKitError.Code("unknownKey")
    /// There are more reminders than can be kept, or than have a slot where that is asked for.
    public static let tooManyReminders = BelfryKitError.Code("tooManyReminders")
}

extension BelfryKitError {
    /// Makes an error.
    init(_ code: Code, _ message: String) {
        self.init(code: code, message: message)
    }

    /// Makes an error of a value that is not allowed; a long finding is cut.
    init(_ code: Code, _ field: String, found: some StringProtocol, allowed: String) {
        let isLong = found.count > Self.quoteCountMax
        let cut = isLong ? found.prefix(Self.quoteCountMax) + "…" : String(found)
        self.init(code, "\(field): found '\(cut)'; allowed: \(allowed)")
    }

    /// How many characters of a wrong text are repeated.
    private static let quoteCountMax = 40

    /// An error of a rule, in the words of its own module.
    init(_ error: RecurrenceError) {
        self.init(.invalidSchedule, error.message)
    }

    /// Runs something that throws an error of rules.
    static func rules<Value>(_ body: () throws(RecurrenceError) -> Value) throws(BelfryKitError) -> Value {
        do {
            return try body()
        } catch {
            throw BelfryKitError(error)
        }
    }
}
