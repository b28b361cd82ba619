internal import SQLite
internal import Synchronization

/// The gateway's memory over a restart: `gateway.sqlite` in the data folder, written behind.
///
/// Requests never wait for the disk. Changes are collected in the registries and written in one transaction at most
/// 200 ms after the first of them, so that a process that is killed loses at most that last batch and what is on disk
/// is always the state of one moment. In a flood batches come further apart: writing takes a third of a core at most.
/// `synchronous` is NORMAL: a crash of the process loses nothing that was written; after a power failure the last
/// transactions may be missing, never a part of one.
///
/// A write that fails (a full disk) is tried again every second, with the complete state in place of the changes that
/// it had taken. The gateway goes on serving meanwhile; ``failure`` tells.
package final class GatewayStore: Sendable {
    /// The file's name in the data folder.
    package static let fileName = "gateway.sqlite"
    /// How long changes wait for more of them.
    static let delayMilliseconds = 150
    /// How long a failed write waits for its next attempt.
    static let retryMilliseconds = 1_000

    private struct State {
        var source: (@Sendable (_ complete: Bool) -> StoreBatch)?
        var isScheduled = false
        var failure: GatewayError?
        var writeCount = 0
        var writeMilliseconds = 0

        /// How long changes wait: for more of them, for the disk to recover, or for the processor to do other work.
        var delayMilliseconds: Int {
            failure == nil
                ? max(GatewayStore.delayMilliseconds, 2 * writeMilliseconds) : GatewayStore.retryMilliseconds
        }
    }

    private let connection: Connection
    private let state = Mutex(State())

    private init(connection: Connection) {
        self.connection = connection
    }

    /// Opens or creates the file in a folder that exists.
    ///
    /// - Throws: `storage`, with the reason: a newer schema, a damaged file, no right to write.
    package static func open(folder: String) async throws(GatewayError) -> GatewayStore {
        try await open(path: folder + "/" + fileName)
    }

    /// Opens or creates a file of any name; `:memory:` keeps nothing.
    package static func open(
        path: String, pageCountMax: Int64? = nil
    ) async throws(GatewayError) -> GatewayStore {
        do {
            let connection = try await Connection.open(
                path: path,
                configuration: Database.Configuration(synchronous: .normal, pageCountMax: pageCountMax),
                migrations: GatewaySchema.migrations)
            return GatewayStore(connection: connection)
        } catch {
            throw GatewayError(error, while: "opening \(path)")
        }
    }

    /// Reads the state that was saved.
    package func load(policy: DevicePolicy) async throws(GatewayError) -> Registries {
        do {
            return try await connection.run { database throws(SQLiteError) in
                try database.transaction(.deferred) { () throws(SQLiteError) in
                    Registries(
                        devices: DeviceRegistry(
                            policy: policy, contents: try GatewayStore.readContents(database)),
                        channels: ChannelRegistry(
                            channels: try GatewayStore.readChannels(database),
                            disabledApps: try GatewayStore.readDisabledApps(database)))
                }
            }
        } catch {
            throw GatewayError(error, while: "reading the saved state")
        }
    }

    /// Names where batches come from; it is called on the database's thread.
    package func setSource(_ source: @escaping @Sendable (_ complete: Bool) -> StoreBatch) {
        state.withLock { $0.source = source }
    }

    /// There is something to write: schedules a write unless one is due anyway.
    ///
    /// Cheap, from any thread.
    package func noteChanges() {
        schedule()
    }

    /// Writes what is there to write, now.
    ///
    /// - Throws: `storage` when it could not be written.
    package func flush() async throws(GatewayError) {
        do {
            try await connection.run { [self] database throws(SQLiteError) in writeBatch(to: database) }
        } catch {
            throw GatewayError(error, while: "writing the state")
        }
        guard let failure else { return }
        schedule()
        throw failure
    }

    /// Writes what is left and closes the file.
    package func close() async {
        try? await flush()
        await connection.close()
    }

    /// Why the last write failed; nil when it did not.
    package var failure: GatewayError? { state.withLock { $0.failure } }

    /// How many batches were written.
    package var writeCount: Int { state.withLock { $0.writeCount } }

    private func schedule() {
        let delay: Int? = state.withLock { state in
            guard !state.isScheduled else { return nil }
            state.isScheduled = true
            return state.delayMilliseconds
        }
        guard let delay else { return }
        do throws(SQLiteError) {
            try connection.schedule(afterMilliseconds: delay) { [self] database in
                state.withLock { $0.isScheduled = false }
                writeBatch(to: database)
                if failure != nil { schedule() }
            }
        } catch {
            // Closed: nothing is written any more.
            state.withLock { $0.isScheduled = false }
        }
    }

    /// Runs on the database's thread.
    private func writeBatch(to database: Database) {
        let (source, hadFailed) = state.withLock { ($0.source, $0.failure != nil) }
        guard let source else { return }
        let batch = source(hadFailed)
        guard !batch.isEmpty else { return }
        let start = ContinuousClock.now
        do throws(SQLiteError) {
            try batch.write(to: database)
            let time = (ContinuousClock.now - start).components
            state.withLock { state in
                state.writeMilliseconds = Int(time.seconds * 1_000 + time.attoseconds / 1_000_000_000_000_000)
                state.failure = nil
                state.writeCount += 1
            }
        } catch {
            let failure = GatewayError(error, while: "writing the state")
            state.withLock { $0.failure = failure }
        }
    }
}

extension GatewayError {
    init(_ error: SQLiteError, while action: String) {
        self.init(code: .storage, message: "\(action): \(error)")
    }
}
