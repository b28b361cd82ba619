/// How far a device's registration at the push service has come.
public struct RegistrationState: Hashable, Sendable {
    /// The device token in lower-case hexadecimal digits; nil before the system gave one.
    public var deviceToken: String?
    /// The row's id at the push service; nil before the first answer.
    public var objectID: String?
    /// Whether the service has not confirmed yet what the app wants.
    public var isPending: Bool
    /// Whether nobody is signed in.
    public var isSignedOut: Bool
    /// What stands in the way; nil when nothing is known to.
    public var fault: RegistrationFault?
}
