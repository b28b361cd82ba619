public import APNs

/// What a client asks to be changed in an installation, as parsed from its request; nothing is checked yet.
public struct InstallationChange: Sendable, Hashable {
    /// Which row is meant.
    public enum Target: Sendable, Hashable {
        /// The row with this objectId; not having it is an error.
        case existing(objectID: String)
        /// The row that has the body's `objectId`, `installationId` or `deviceToken`; a new one otherwise.
        case matching
    }

    /// Which row is meant.
    public var target: Target
    /// The request's body: values and `__op` operators by key, reserved keys included.
    public var body: [String: JSONValue]
    /// What has to hold of the row for the change to be made (`?where=`); LeanCloud's code 305 otherwise.
    public var condition: WhereClause?

    /// Makes a change.
    public init(target: Target, body: [String: JSONValue], condition: WhereClause? = nil) {
        self.target = target
        self.body = body
        self.condition = condition
    }
}
