internal import PushStore
internal import Synchronization

/// `belfry backup`.
enum BackupVerb: Verb {
    static let declaration = VerbDeclaration(
        words: ["backup"],
        summary: "copy a service's database while it runs",
        discussion: """
            Writes one file with everything: apps, installations, pushes, records. Keys and credentials in it are \
            sealed: keep the file 'secret' of the data folder, or the passphrase, elsewhere: without it nothing opens \
            the copy. To restore, stop the service, move belfry.sqlite, belfry.sqlite-wal and belfry.sqlite-shm \
            away, and put the copy in the place of belfry.sqlite.

            A database of PostgreSQL is copied with its own tool: pg_dump --format=custom.
            """,
        options: StoreOptions.all,
        operands: OperandSpec(
            name: "FILE", help: "The file to write; one that exists is replaced.", countMin: 1, countMax: 1,
            isPath: true),
        examples: [
            .init(
                purpose: "every night",
                command: "belfry backup \"backup-$(date +%F).sqlite\" --data /var/lib/belfry")
        ])

    static func run(
        _ options: ParsedOptions, in context: CommandContext
    ) async throws(CommandError) -> CommandStatus {
        let path = options.operands[0]
        guard options[StoreOptions.database] == nil else {
            throw .usage(
                "--database: copy a PostgreSQL database with pg_dump --format=custom, restore with pg_restore"
            )
        }
        let pageCount = try await StoreOptions.with(options) { store in
            guard let store = store as? SQLiteStore else {
                throw CommandError.failed("only a database in a file is copied")
            }
            let total = Mutex(0)
            let bar = Mutex<ProgressBar?>(nil)
            try await store.backup(to: path) { left, count in
                total.withLock { $0 = count }
                bar.withLock { bar in
                    if bar == nil { bar = ProgressBar(total: count, console: context.console) }
                    bar?.update(count - left)
                }
            }
            bar.withLock { $0?.finish() }
            try await StoreOptions.record("backup", "", app: nil, in: store, context)
            return total.withLock { $0 }
        }
        if context.isJSON {
            try context.console.printJSON(Report(file: path, pages: pageCount))
        } else {
            context.console.print("\(path): \(pageCount * 4) KB")
        }
        return .done
    }

    private struct Report: Encodable, Sendable {
        var file: String
        var pages: Int
    }
}
