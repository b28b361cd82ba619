internal import APNs
public import PushStore
public import Recurrence

/// Reads installations from an export of LeanCloud or Parse into a store, batch by batch.
///
/// Memory is that of two batches, whatever the size of the file. After each batch the store knows how far the import
/// has come, so that one that was broken off goes on there.
public struct InstallationImport: Sendable {
    /// Rows of one transaction: large enough that rows of a batch share the pages of the indexes they fall into.
    static let batchCount = 20_000

    private let store: any Store
    private let app: App
    private let isDry: Bool
    private let now: Instant

    /// Makes an import.
    ///
    /// - Parameters:
    ///   - store: where rows go.
    ///   - app: whose rows they are.
    ///   - isDry: only says what would be done.
    ///   - now: for rows without times.
    public init(into store: any Store, app: App, isDry: Bool, now: Instant) {
        self.store = store
        self.app = app
        self.isDry = isDry
        self.now = now
    }

    /// Runs the import to the end of the file.
    ///
    /// - Parameters:
    ///   - file: names the file's content, for an import that goes on; see ``ImportProgress``.
    ///   - nextBytes: gives the next bytes of the file, none at its end.
    ///   - progress: called with the number of rows read.
    public func run(
        file: String, nextBytes: () throws -> [UInt8], progress: (Int) -> Void
    ) async throws -> ImportReport {
        var report = ImportReport()
        if !isDry, let done = try await store.importProgress(file: file, app: app.number) {
            report.read = done.rowCount
            report.stored = done.storedCount
            report.resumedAfter = done.rowCount
            report.skipped = ImportReport.reasons(of: done.skipped)
        }
        var reader = ImportReader()
        var rows: [ImportReader.Row] = []
        let resumedAfter = report.resumedAfter
        try await withThrowingTaskGroup(of: [ChangeError?].self) { group in
            // While one batch is stored the next one is read.
            var storing: Batch?
            func settle() async throws {
                guard let batch = storing, let results = try await group.next() else { return }
                storing = nil
                batch.count(results, in: &report)
                progress(report.read)
                guard !isDry else { return }
                try await store.storeImportProgress(
                    ImportProgress(
                        rowCount: report.read, storedCount: report.stored, skipped: report.skippedText),
                    file: file,
                    app: app.number, now: now)
            }
            func submit() async throws {
                let batch = Batch(
                    rows: rows, firstRow: storing.map { $0.firstRow + $0.rows.count } ?? report.read + 1)
                rows.removeAll(keepingCapacity: true)
                try await settle()
                storing = batch
                let (store, number, now, isDry) = (store, app.number, now, isDry)
                group.addTask {
                    let imported = batch.imported
                    guard !isDry else { return imported.map { $0.fault(now: now) } }
                    return try await store.importInstallations(imported, app: number, now: now)
                }
            }
            while true {
                let bytes = try nextBytes()
                if bytes.isEmpty { break }
                rows += try bytes.withUnsafeBytes { bytes -> Result<[ImportReader.Row], ImportError> in
                    do throws(ImportError) {
                        return .success(try reader.feed(bytes, skipping: resumedAfter))
                    } catch {
                        return .failure(error)
                    }
                }.get()
                if rows.count >= Self.batchCount { try await submit() }
            }
            if !rows.isEmpty { try await submit() }
            try await settle()
            try reader.finish()
        }
        report.skipped.sort { $0.count > $1.count }
        return report
    }

    /// Rows that are stored together.
    private struct Batch: Sendable {
        var rows: [ImportReader.Row]
        var firstRow: Int

        /// The rows that could be read.
        var imported: [ImportedInstallation] {
            rows.compactMap { row in
                if case .fields(let fields) = row { ImportedInstallation(fields: fields) } else { nil }
            }
        }

        func count(_ results: [ChangeError?], in report: inout ImportReport) {
            var results = results[...]
            for (index, row) in rows.enumerated() {
                report.read += 1
                switch row {
                case .fault(let message):
                    report.skip(message, code: nil, row: firstRow + index, objectID: nil)
                case .fields(let fields):
                    guard let error = results.popFirst() ?? nil else {
                        report.stored += 1
                        continue
                    }
                    var id: String?
                    if case .string(let text)? = fields["objectId"] ?? fields["_id"] {
                        id = String(text.prefix(64))
                    }
                    report.skip(error.message, code: error.code, row: firstRow + index, objectID: id)
                }
            }
        }
    }
}
