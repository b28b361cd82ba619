public import APNs

/// One row of an export of LeanCloud or Parse.
public struct ImportedInstallation: Sendable, Hashable {
    /// All its fields, with `objectId`, `createdAt` and `updatedAt`, dates as `{"__type": "Date"}` or texts.
    public var fields: [String: JSONValue]

    /// Makes a row.
    public init(fields: [String: JSONValue]) {
        self.fields = fields
    }
}
