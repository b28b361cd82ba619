internal import FoundationEssentials
internal import PostgreSQL
internal import PushStore
internal import Synchronization

/// `belfry migrate`.
enum MigrateVerb: Verb {
    static let from = Option.value("from", .choice("KIND", ["sqlite"]), default: "sqlite", "What is moved.")
    static let to = Option.value("to", .choice("KIND", ["postgres"]), default: "postgres", "Where to.")

    static let declaration = VerbDeclaration(
        words: ["migrate"],
        summary: "move a service's data from SQLite to PostgreSQL",
        discussion: """
            Copies everything of the data folder's database into an empty database of PostgreSQL: apps, keys and \
            credentials, installations, interests, pushes that wait or run, records. Ids and secrets stay what they \
            were. The service has to be stopped; the file stays as it is. All is moved, or nothing.

            Afterwards start the service with --database and the same secret.
            """,
        options: [from.spec, to.spec] + StoreOptions.all,
        examples: [
            .init(
                purpose: "with the database in BELFRY_DATABASE",
                command: "belfry migrate --from sqlite --to postgres --data /var/lib/belfry")
        ])

    static func run(
        _ options: ParsedOptions, in context: CommandContext
    ) async throws(CommandError) -> CommandStatus {
        guard let text = options[StoreOptions.database] else { throw .usage("needs --database URL") }
        let folder = options[StoreOptions.data]
        let path = folder + "/" + SQLiteStore.fileName
        guard FileManager.default.fileExists(atPath: path) else {
            throw .failed("\(path): there is no database to move")
        }
        guard let lock = try FolderLock.take(folder) else {
            throw .unavailable("a belfry serve works on \(folder): stop it first")
        }
        defer { withExtendedLifetime(lock) {} }
        let report: StoreMove.Report
        do throws(StoreError) {
            let secret = try StoreOptions.loadSecret(options, isMadeWhenMissing: false)
            let bar = Mutex(ProgressBar(total: 0, console: context.console))
            report = try await StoreMove(
                fromFile: path, to: try StoreOptions.address(text), secret: secret
            ).run { table, count in bar.withLock { $0.update(count, "\(table): \(count)") } }
            bar.withLock { $0.finish() }
        } catch {
            throw CommandError(error)
        }
        for table in report.tables {
            if context.isJSON {
                try context.console.printJSON(Row(table: table.name, rows: table.rowCount))
            } else {
                context.console.print("\(table.rowCount)\t\(table.name)")
            }
        }
        return .done
    }

    private struct Row: Encodable, Sendable {
        var table: String
        var rows: Int
    }
}
