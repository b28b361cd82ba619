public import Recurrence

/// How far imports have come, so that one that was broken off goes on.
public protocol ImportStore: Sendable {
    /// How far the import of a file into an app has come; nil when it never began.
    func importProgress(file: String, app: Int64) async throws(StoreError) -> ImportProgress?

    /// Stores how far it has come.
    func storeImportProgress(
        _ progress: ImportProgress, file: String, app: Int64, now: Instant
    ) async throws(StoreError)
}

/// How far an import has come.
public struct ImportProgress: Sendable, Hashable {
    /// Rows of the file that were read.
    public var rowCount: Int
    /// Those of them that were stored.
    public var storedCount: Int
    /// What the importer noted of rows that were left out; the store keeps the text as it is.
    public var skipped: String

    /// Makes a value.
    public init(rowCount: Int, storedCount: Int, skipped: String = "") {
        self.rowCount = rowCount
        self.storedCount = storedCount
        self.skipped = skipped
    }
}
