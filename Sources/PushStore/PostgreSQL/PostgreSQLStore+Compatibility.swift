internal import Synchronization

extension PostgreSQLStore {
    /// The newest version of the schema that this program knows.
    static let knownSchemaVersion = PostgreSQLSchema.migrations.count

    /// Why this program cannot work with the database any more; nil while it can.
    public var incompatibility: String? {
        let needed = neededSchemaVersion.withLock { $0 }
        guard needed > Self.knownSchemaVersion else { return nil }
        return
            "the database was upgraded by a newer node: it needs a program that knows version \(needed) of its "
            + "schema, this one knows up to \(Self.knownSchemaVersion); upgrade this node"
    }
}
