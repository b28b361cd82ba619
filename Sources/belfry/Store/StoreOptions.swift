internal import FoundationEssentials
internal import PushStore
internal import Recurrence

/// The options that name the data folder of a push service, and what opens it.
enum StoreOptions {
    static let data = Option.value(
        "data", short: "d", .path("DIR"), default: "belfry-data",
        "The service's data folder; made when missing.")
    static let secret = Option.optional(
        "secret", .text("TEXT"),
        "The passphrase that seals keys in the database, instead of the file 'secret' in the data folder. "
            + "Other users see a command line: prefer BELFRY_SECRET.")

    static let all = [data.spec, secret.spec]

    /// Opens the store of the data folder; the service may be running.
    static func open(
        _ options: ParsedOptions,
        _ configuration: SQLiteStore.Configuration = SQLiteStore.Configuration(readerCount: 1)
    ) async throws(CommandError) -> SQLiteStore {
        let folder = options[data]
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw .unavailable("--data \(folder): the folder cannot be made")
        }
        do throws(StoreError) {
            let secret = try StoreSecret.load(
                folder: folder, environment: options[secret].map { [StoreSecret.variable: $0] } ?? [:])
            return try await SQLiteStore.open(
                path: folder + "/" + SQLiteStore.fileName, secret: secret, configuration: configuration)
        } catch {
            throw CommandError(error)
        }
    }

    /// Opens the store, runs a body and closes it.
    static func with<Success: Sendable>(
        _ options: ParsedOptions,
        _ configuration: SQLiteStore.Configuration = SQLiteStore.Configuration(readerCount: 1),
        _ body: (SQLiteStore) async throws -> Success
    ) async throws(CommandError) -> Success {
        let store = try await open(options, configuration)
        do {
            let success = try await body(store)
            await store.close()
            return success
        } catch {
            await store.close()
            switch error {
            case let error as CommandError: throw error
            case let error as StoreError: throw CommandError(error)
            default: throw .failed("\(error)")
            }
        }
    }

    /// The app with an id.
    static func app(_ id: String, in store: SQLiteStore) async throws -> App {
        let apps = try await store.apps()
        guard let app = apps.first(where: { $0.id == id }) else {
            let near = Suggestion.clause(for: id, among: apps.map(\.id))
            throw CommandError.failed("there is no app '\(id)'\(near): belfry app list shows all")
        }
        return app
    }

    /// Notes an act of administration.
    static func record(
        _ action: String, _ detail: String, app: Int64?, in store: SQLiteStore, _ context: CommandContext
    ) async throws {
        try await store.recordAudit(
            AuditEntry(at: context.instant, app: app, actor: "command line", action: action, detail: detail))
    }
}

extension CommandContext {
    /// The time, to the second.
    var instant: Instant { Instant(secondsSince1970: now()) }
}

extension CommandError {
    /// What an error of the store means to the person at the command line.
    init(_ error: StoreError) {
        switch error.code {
        case .invalid: self = .usage(error.message)
        case .overloaded, .full, .database: self = .unavailable(error.message)
        default: self = .failed(error.message)
        }
    }
}
