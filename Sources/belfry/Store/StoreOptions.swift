internal import Crypto
internal import FoundationEssentials
internal import PostgreSQL
internal import PushStore
internal import Recurrence

/// The options that name the data folder of a push service, and what opens it.
enum StoreOptions {
    static let data = Option.value(
        "data", short: "d", .path("DIR"), default: "belfry-data",
        "The service's data folder; 'serve', 'app create' and 'user add' make it when it is missing.")
    static let secret = Option.optional(
        "secret", .text("TEXT"),
        "The passphrase that seals keys in the database, instead of the file 'secret' in the data folder. "
            + "Other users see a command line: prefer BELFRY_SECRET.")

    static let database = Option.optional(
        "database", .text("URL"),
        "A PostgreSQL database that several services share, as postgres://USER:PASSWORD@HOST/NAME, instead of a file "
            + "in the data folder; several hosts with commas between them. Other users see a command line: prefer "
            + "BELFRY_DATABASE. All services need the same secret: give them BELFRY_SECRET, or the same file 'secret'."
    )

    static let all = [data.spec, database.spec, secret.spec]

    /// What a store is opened for.
    enum Use: Sendable {
        /// One short command, while the service runs.
        case command
        /// A command that may be the first one of all: without a database it makes one.
        case beginning
        /// A command that writes very much.
        case bulk
        /// The service itself.
        case service
    }

    /// Opens the store of the data folder, or the database; the service may be running.
    static func open(
        _ options: ParsedOptions, for use: Use = .command
    ) async throws(CommandError) -> any Store {
        let folder = options[data]
        let path = folder + "/" + SQLiteStore.fileName
        let isThere = options[database] == nil && FileManager.default.fileExists(atPath: path)
        if use.makesDatabase {
            do {
                try FileManager.default.createDirectory(
                    atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            } catch {
                throw .unavailable("--data \(folder): the folder cannot be made")
            }
        } else if options[database] == nil, !isThere {
            // An empty database would answer as if all were well.
            throw .failed(
                "\(path): there is no database: name the service's data folder with --data or BELFRY_DATA, or its "
                    + "PostgreSQL database with BELFRY_DATABASE")
        }
        do throws(StoreError) {
            let secret = try loadSecret(options, isMadeWhenMissing: use.makesDatabase && !isThere)
            guard let text = options[database] else {
                return try await SQLiteStore.open(path: path, secret: secret, configuration: use.sqlite)
            }
            let address = try address(text)
            return try await PostgreSQLStore.open(
                address, secret: secret, configuration: use == .service ? .init() : .command)
        } catch {
            throw CommandError(error)
        }
    }

    /// Where the store is, without user and password.
    static func place(_ options: ParsedOptions) throws(CommandError) -> String {
        do throws(StoreError) {
            guard let text = options[database] else { return options[data] + "/" + SQLiteStore.fileName }
            return try address(text).description
        } catch {
            throw CommandError(error)
        }
    }

    /// What the store's secrets are sealed with.
    static func loadSecret(
        _ options: ParsedOptions, isMadeWhenMissing: Bool
    ) throws(StoreError) -> StoreSecret {
        try StoreSecret.load(
            folder: options[data], environment: options[secret].map { [StoreSecret.variable: $0] } ?? [:],
            isMadeWhenMissing: isMadeWhenMissing)
    }

    /// Reads the address of a database.
    static func address(_ text: String) throws(StoreError) -> ConnectionString {
        do throws(PostgreSQLError) {
            return try ConnectionString(text)
        } catch {
            throw StoreError(.invalid, "--database: \(error.message)")
        }
    }

    /// The name of a service among those that share a database: kept in its data folder, so that after a restart it
    /// takes its own work up again at once.
    static func nodeName(_ options: ParsedOptions) throws(CommandError) -> String {
        let path = options[data] + "/node"
        if let known = FileManager.default.contents(atPath: path) {
            let text = String(decoding: known, as: UTF8.self).filter { $0.isLetter || $0.isNumber }
            if (8...64).contains(text.utf8.count) { return text }
        }
        let name = RandomText.alphanumeric(count: 16)
        guard FileManager.default.createFile(atPath: path, contents: Data((name + "\n").utf8)) else {
            throw .unavailable("\(path): the file cannot be made")
        }
        return name
    }

    /// Opens the store, runs a body and closes it.
    static func with<Success: Sendable>(
        _ options: ParsedOptions, for use: Use = .command, _ body: (any Store) async throws -> Success
    ) async throws(CommandError) -> Success {
        let store = try await open(options, for: use)
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
    static func app(_ id: String, in store: any Store) async throws -> App {
        let apps = try await store.apps()
        guard let app = apps.first(where: { $0.id == id }) else {
            let near = Suggestion.clause(for: id, among: apps.map(\.id))
            throw CommandError.failed("there is no app '\(id)'\(near): belfry app list shows all")
        }
        return app
    }

    /// Notes an act of administration.
    static func record(
        _ action: String, _ detail: String, app: Int64?, in store: any Store, _ context: CommandContext
    ) async throws {
        try await store.recordAudit(
            AuditEntry(at: context.instant, app: app, actor: "command line", action: action, detail: detail))
    }
}

extension StoreOptions.Use {
    fileprivate var makesDatabase: Bool {
        switch self {
        case .beginning, .service: true
        case .command, .bulk: false
        }
    }

    fileprivate var sqlite: SQLiteStore.Configuration {
        switch self {
        case .command, .beginning: SQLiteStore.Configuration(readerCount: 1)
        case .bulk: .bulk
        case .service: SQLiteStore.Configuration()
        }
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
        case .overloaded, .full, .unavailable, .uncertain, .database: self = .unavailable(error.message)
        default: self = .failed(error.message)
        }
    }
}
