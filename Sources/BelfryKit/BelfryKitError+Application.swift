extension BelfryKitError.Code {
    /// A value that the app gives is not allowed.
    public static let invalidArgument = BelfryKitError.Code("invalidArgument")
    /// The system refused to ask the user for permission.
    public static let permission = BelfryKitError.Code("permission")
    /// The device could not keep a value.
    public static let storage = BelfryKitError.Code("storage")
    /// The system refused a notification.
    public static let notification = BelfryKitError.Code("notification")
    /// A recorded sound cannot be read, or not be joined to the others.
    public static let sound = BelfryKitError.Code("sound")
    /// The push service could not be reached, or answered with an error.
    public static let service = BelfryKitError.Code("service")
}
