import APNs
import Crypto

import Recurrence
import SQLite

@testable import PushService
@testable import PushStore

/// A copy of the pushes and batches in a database, which tells what a transaction has changed.
///
/// Triggers of the connection note the rows that are touched. Nothing of the service is used to read them but the
/// encoding of lists. Touched by the simulation's thread alone.
final class Mirror {
    /// A row as it was and as it is.
    struct Change<Row> {
        var old: Row?
        var new: Row
    }

    struct Changes {
        var pushes: [Change<PushRow>] = []
        var batches: [Change<BatchRow>] = []
    }

    struct PushRow {
        var number: Int64
        var objectID: String
        var state: Push.State
        var error: String?
        var notes: String?
        var isSchedule: Bool
        var schedule: Int64?
        var ignoresFrequencyCap: Bool
        var beganAt: Int64?
        var expiresAt: Int64?
        var endedAt: Int64?
        /// Whether its latest pause was asked for.
        var wasPausedByHand = false
    }

    struct BatchRow {
        /// `batches.state`.
        enum State: Int64 {
            case ready, claimed, done, held, waiting
        }

        var number: Int64
        var push: Int64
        var state: State
        var owner: String?
        var leaseUntil: Int64?
        var generation: Int64
        var notBefore: Int64
        var pendingCount: Int
        /// Numbers of installations, or what stands for device tokens.
        var devices: [Int64]
        var isForTokens: Bool
        var outcomes: [DeviceOutcome]
    }

    struct Place {
        var batch: Int64
        var position: Int
    }

    // @unchecked: all of a simulation runs on one thread.
    private final class Touched: @unchecked Sendable {
        var pushes: Set<Int64> = []
        var batches: Set<Int64> = []
    }

    private let connection: Connection
    private let touched = Touched()
    private(set) var pushes: [Int64: PushRow] = [:]
    private(set) var batches: [Int64: BatchRow] = [:]
    /// Where each device of a push is; the latest batch it is in.
    private(set) var places: [Int64: [Int64: Place]] = [:]
    private var devicesByID: [NotificationID: (push: Int64, device: Int64)] = [:]

    init(_ connection: Connection) throws {
        self.connection = connection
        let touched = touched
        try connection.runBlocking { database throws(SQLiteError) in
            try database.register(function: "simulation_touch", argumentCount: 2) {
                values throws(SQLiteError) in
                guard case .integer(let kind) = values[0], case .integer(let number) = values[1] else {
                    return .null
                }
                if kind == 0 { touched.pushes.insert(number) } else { touched.batches.insert(number) }
                return .null
            }
            for (kind, table) in ["pushes", "batches"].enumerated() {
                for event in ["INSERT", "UPDATE"] {
                    try database.executeScript(
                        """
                        CREATE TEMP TRIGGER simulation_\(table)_\(event) AFTER \(event) ON main.\(table)
                        BEGIN SELECT simulation_touch(\(kind), NEW.number); END;
                        """)
                }
            }
        }
    }

    var isTouched: Bool { !touched.pushes.isEmpty || !touched.batches.isEmpty }

    /// What the transaction changed that has just ended, in the order of rows' numbers.
    func takeChanges() throws -> Changes {
        let pushNumbers = touched.pushes.sorted()
        let batchNumbers = touched.batches.sorted()
        touched.pushes = []
        touched.batches = []
        let rows = try connection.runBlocking { database throws(SQLiteError) in
            var rows: (pushes: [PushRow], batches: [BatchRow]) = ([], [])
            for number in pushNumbers {
                if let row = try Self.push(number, database) { rows.pushes.append(row) }
            }
            for number in batchNumbers {
                if let row = try Self.batch(number, database) { rows.batches.append(row) }
            }
            return rows
        }
        var changes = Changes()
        for var row in rows.pushes {
            let old = pushes[row.number]
            row.wasPausedByHand = row.state == .paused && old?.wasPausedByHand == true
            pushes[row.number] = row
            changes.pushes.append(Change(old: old, new: row))
        }
        for row in rows.batches {
            changes.batches.append(Change(old: batches[row.number], new: row))
            if batches[row.number] == nil { note(devicesOf: row) }
            batches[row.number] = row
        }
        return changes
    }

    func pausedByHand(_ push: Int64) {
        if pushes[push]?.state == .paused { pushes[push]?.wasPausedByHand = true }
    }

    private func note(devicesOf row: BatchRow) {
        guard let push = pushes[row.push] else { return }
        let identity = NotificationIdentity(push: push.objectID)
        for device in row.devices { devicesByID[identity.id(device)] = (row.push, device) }
    }

    /// Devices of changed batches that are in two places, or were handed on to none.
    func misplaced(in changes: Changes) -> [String] {
        var texts: [String] = []
        for change in changes.batches where change.old == nil {
            for (position, device) in change.new.devices.enumerated() {
                let place = Place(batch: change.new.number, position: position)
                if let former = places[change.new.push]?[device],
                    batches[former.batch]?.outcomes[former.position] != .moved
                {
                    texts.append(
                        "device \(device) of push \(change.new.push) is in batches \(former.batch) and \(place.batch)"
                    )
                }
                places[change.new.push, default: [:]][device] = place
            }
        }
        for change in changes.batches {
            for (position, device) in change.new.devices.enumerated()
            where change.new.outcomes[position] == .moved
                && places[change.new.push]?[device]?.batch == change.new.number
            {
                texts.append("device \(device) of push \(change.new.push) was handed on to no batch")
            }
        }
        return texts
    }

    /// Where the device of a notification is.
    func place(of id: NotificationID) -> Place? {
        devicesByID[id].flatMap { places[$0.push]?[$0.device] }
    }

    /// Batches of a push that are not done.
    func openBatches(of push: Int64) -> [BatchRow] {
        batches.values.filter { $0.push == push && $0.state != .done }
    }

    /// Outcomes of a push's devices, each device once.
    func outcomes(of push: Int64) -> [Int64: DeviceOutcome] {
        (places[push] ?? [:]).compactMapValues { batches[$0.batch]?.outcomes[$0.position] }
    }

    var isEverythingEnded: Bool {
        pushes.values.allSatisfy { $0.state.isFinal } && batches.values.allSatisfy { $0.state == .done }
    }

    // MARK: - Rows

    private static func push(_ number: Int64, _ database: Database) throws(SQLiteError) -> PushRow? {
        try database.first(
            """
            SELECT object_id, state, error, request ->> 'schedule' IS NOT NULL, schedule, began_at, expires_at,
                ended_at, coalesce(request ->> 'uncapped', 0), notes FROM pushes WHERE number = ?
            """, [.integer(number)]
        ) { row throws(SQLiteError) in
            PushRow(
                number: number, objectID: try row.string(0),
                state: Push.State(rawValue: try row.string(1)) ?? .cancelled,
                error: try row.optionalString(2), notes: try row.optionalString(9),
                isSchedule: try row.boolean(3),
                schedule: try row.optionalInteger(4), ignoresFrequencyCap: try row.boolean(8),
                beganAt: try row.optionalInteger(5), expiresAt: try row.optionalInteger(6),
                endedAt: try row.optionalInteger(7))
        }
    }

    private static func batch(_ number: Int64, _ database: Database) throws(SQLiteError) -> BatchRow? {
        try database.first(
            """
            SELECT push, state, owner, lease_until, generation, not_before, pending_count, installations, tokens,
                outcomes FROM batches WHERE number = ?
            """, [.integer(number)]
        ) { row throws(SQLiteError) in
            let installations = try row.optionalBytes(7).flatMap(NumberList.decode)
            var devices = installations ?? []
            if let text = try row.optionalString(8), case .array(let items)? = try? JSONValue(parsing: text) {
                devices = items.compactMap { item in
                    guard case .string(let hex) = item, let token = try? DeviceToken(hex: hex) else {
                        return nil
                    }
                    return NotificationIdentity.number(of: token)
                }
            }
            return BatchRow(
                number: number, push: try row.integer(0),
                state: BatchRow.State(rawValue: try row.integer(1)) ?? .done,
                owner: try row.optionalString(2),
                leaseUntil: try row.optionalInteger(3), generation: try row.integer(4),
                notBefore: try row.integer(5), pendingCount: Int(try row.integer(6)), devices: devices,
                isForTokens: installations == nil, outcomes: try row.bytes(9).map(DeviceOutcome.init))
        }
    }

    /// Whether an installation has a place under the frequency cap for a push, among no more than may have one.
    func hasPlaceUnderCap(installation: Int64, push: Int64, countMax: AppSettings.FrequencyCap) throws -> Bool
    {
        let places = try connection.runBlocking { database throws(SQLiteError) in
            try database.all(
                "SELECT push, at FROM sent_pushes WHERE installation = ? ORDER BY at",
                [.integer(installation)]
            ) { row throws(SQLiteError) in (push: try row.integer(0), at: try row.integer(1)) }
        }
        guard let mine = places.first(where: { $0.push == push }) else { return false }
        let since = mine.at - Int64(countMax.seconds) * 1_000
        return places.count { $0.push != push && $0.at > since && $0.at <= mine.at } < countMax.countMax
    }

    /// What the tables say of when something is due next, in milliseconds since 1970.
    func nextDue() throws -> Int64? {
        try connection.runBlocking { database throws(SQLiteError) in
            try database.first(
                """
                SELECT min(at) FROM (
                    SELECT min(due_at) AS at FROM pushes WHERE state = 'scheduled' AND ended_at IS NULL
                    UNION ALL SELECT min(s.due_at) FROM segments AS s JOIN pushes AS p ON p.number = s.push
                        WHERE s.is_planned = 0 AND p.state = 'running'
                    UNION ALL SELECT min(not_before) FROM batches WHERE state = 4
                    UNION ALL SELECT 0 WHERE EXISTS (SELECT 1 FROM batches WHERE state = 0)
                    UNION ALL SELECT min(lease_until) FROM batches WHERE state = 1
                    UNION ALL SELECT min(updated_at) + 86400000 FROM pushes
                        WHERE state = 'paused' AND ended_at IS NULL AND error IS NOT NULL
                    UNION ALL SELECT min(expires_at) FROM pushes WHERE state = 'paused' AND ended_at IS NULL)
                """
            ) { row throws(SQLiteError) in try row.optionalInteger(0) } ?? nil
        }
    }
}
