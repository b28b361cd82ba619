/// What requests of reminders carry under one key of their `userInfo`, as texts.
enum RequestUserInfo {
    /// The key of the dictionary.
    static let key = "belfry"
    /// The reminder's key.
    static let reminder = "reminder"
    /// The civil time that the rule names; not on repeating requests and snoozes.
    static let civil = "civil"
    /// The instant that was expected when the request was made; not on repeating requests.
    static let instant = "instant"
    /// Whose clocks decide, where those of the device do.
    static let clock = "clock"
    /// The value of `clock`.
    static let floating = "floating"
    /// A hash of content and trigger.
    static let mark = "mark"
}
