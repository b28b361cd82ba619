extension BelfryKitError.Code {
    /// A value that the app gives is not allowed.
    public static let invalidArgument = Self(rawValue: "invalidArgument")
    /// The system refused to ask the user for permission.
    public static let permission = Self(rawValue: "permission")
    /// The device's storage could not keep a value; nothing was changed.
    public static let storage = Self(rawValue: "storage")
    /// The system refused a notification.
    public static let notification = Self(rawValue: "notification")
    /// A recorded sound cannot be read, or not be joined to the others.
    public static let sound = Self(rawValue: "sound")
    /// The push service could not be reached, or answered with an error.
    public static let service = Self(rawValue: "service")
}
