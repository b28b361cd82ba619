internal import Recurrence

extension BelfryKitError.Code {
    /// A key is empty or too long.
    public static let invalidKey = Self(rawValue: "invalidKey")
    /// A rule, a time, a weekday or a zone cannot be read or is out of range.
    public static let invalidSchedule = Self(rawValue: "invalidSchedule")
    /// A reminder would show, play and count nothing, or carries what cannot be carried.
    public static let invalidContent = Self(rawValue: "invalidContent")
    /// A reminder has no occurrence after now, and its policy is to say so.
    public static let pastDate = Self(rawValue: "pastDate")
    /// A rule names a day that never comes, such as 30 February.
    public static let neverFires = Self(rawValue: "neverFires")
    /// No reminder has this key.
    public static let unknownKey = Self(rawValue: "unknownKey")
    /// There are more reminders than can be kept, or than have a slot where that is asked for.
    public static let tooManyReminders = Self(rawValue: "tooManyReminders")
}

extension BelfryKitError {
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
