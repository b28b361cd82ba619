internal import PostgreSQL

/// The installations some changes may mean, read and locked at once, and what the changes before have made of them.
struct InstallationOverlay {
    private struct IDKey: Hashable {
        var app: Int64
        var text: String
    }

    private var rows: [Int64: Installation] = [:]
    private var numbers: [InstallationChanges.Key: Int64] = [:]
    private var sameInstallation: [IDKey: [Int64]] = [:]
    private(set) var changes = InstallationChanges()
    /// Rows made here have numbers below zero until the sequence gives them theirs.
    private var newCount: Int64 = 0
    private var newRows: [(number: Int64, app: Int64)] = []

    /// How many rows with one installation id are looked at; more are a client's fault.
    private static let sameInstallationCountMax = 16

    /// Reads what has one of these keys or installation ids.
    init(
        keys: [InstallationChanges.Key], installationIDs: [(app: Int64, id: String)], _ session: Session
    ) throws {
        let found = try session.pipeline([
            Statement(
                """
                SELECT k.app, k.kind, k.key, \(PostgreSQLInstallationRow.columns)
                FROM (SELECT DISTINCT * FROM unnest($1, $2, $3)) AS w(app, kind, key)
                JOIN installation_keys AS k ON k.app = w.app AND k.kind = w.kind AND k.key = w.key
                JOIN installations AS i ON i.number = k.installation
                ORDER BY i.number FOR UPDATE OF k, i
                """,
                [
                    .integers(keys.map(\.app)), .integers(keys.map(\.kind)), .texts(keys.map(\.text)),
                ]),
            Statement(
                """
                SELECT w.app, w.key, \(PostgreSQLInstallationRow.columns)
                FROM (SELECT DISTINCT * FROM unnest($1, $2)) AS w(app, key)
                CROSS JOIN LATERAL (
                    SELECT d.installation FROM installation_ids AS d
                    WHERE d.app = w.app AND d.installation_id = w.key
                    ORDER BY d.installation DESC LIMIT \(Self.sameInstallationCountMax)) AS d
                JOIN installations AS i ON i.number = d.installation
                ORDER BY i.number FOR UPDATE OF i
                """, [.integers(installationIDs.map(\.app)), .texts(installationIDs.map(\.id))]),
        ])
        for row in found[0] {
            let installation = try PostgreSQLInstallationRow.read(row, from: 3)
            let key = InstallationChanges.Key(
                app: try row.integer(0), kind: try row.integer(1), text: try row.string(2))
            numbers[key] = installation.number
            rows[installation.number] = installation
        }
        for row in found[1] {
            let installation = try PostgreSQLInstallationRow.read(row, from: 2)
            sameInstallation[IDKey(app: try row.integer(0), text: try row.string(1)), default: []].append(
                installation.number)
            rows[installation.number] = installation
        }
    }

    /// The row with a key, as it is now.
    func row(_ kind: Int64, _ text: String?, app: Int64) -> Installation? {
        guard let text, let number = numbers[.init(app: app, kind: kind, text: text)],
            let row = rows[number]
        else { return nil }
        return (kind == 0 ? row.objectID : row.deviceToken) == text ? row : nil
    }

    /// The rows with an installation id, latest update first.
    func rows(installationID: String?, app: Int64) -> [Installation] {
        guard let installationID else { return [] }
        return (sameInstallation[IDKey(app: app, text: installationID)] ?? [])
            .compactMap { rows[$0] }.filter { $0.installationID == installationID }
            .sorted { $0.updatedAt > $1.updatedAt }
    }

    /// Notes what a row is now.
    mutating func update(_ new: Installation, app: Int64) {
        if new.number > 0 { changes.set(new, from: rows[new.number], number: new.number, app: app) }
        index(new, app: app)
    }

    /// Adds a row; gives the number it has until ``finish(_:)``.
    mutating func insert(_ new: Installation, app: Int64) -> Int64 {
        newCount += 1
        var row = new
        row.number = -newCount
        newRows.append((row.number, app))
        index(row, app: app)
        return row.number
    }

    mutating func delete(_ row: Installation, app: Int64) {
        if row.number > 0 { changes.set(nil, from: row, number: row.number, app: app) }
        rows[row.number] = nil
    }

    private mutating func index(_ row: Installation, app: Int64) {
        rows[row.number] = row
        numbers[.init(app: app, kind: 0, text: row.objectID)] = row.number
        if let token = row.deviceToken { numbers[.init(app: app, kind: 1, text: token)] = row.number }
        if let id = row.installationID {
            let key = IDKey(app: app, text: id)
            if sameInstallation[key]?.contains(row.number) != true {
                sameInstallation[key, default: []].append(row.number)
            }
        }
    }

    /// Writes everything.
    ///
    /// - Returns: the numbers of rows that were added, by the numbers they had until now.
    mutating func finish(_ session: Session) throws -> [Int64: Int64] {
        var given: [Int64: Int64] = [:]
        let live = newRows.filter { rows[$0.number] != nil }
        if !live.isEmpty {
            let numbers = try session.query(
                "SELECT nextval('installation_numbers') FROM generate_series(1, $1::bigint)",
                [.integer(live.count)]
            ).map { try $0.integer(0) }
            for (entry, number) in zip(live, numbers) {
                guard var row = rows[entry.number] else { continue }
                given[entry.number] = number
                row.number = number
                changes.set(row, from: nil, number: number, app: entry.app)
            }
        }
        if !changes.isEmpty { try session.pipeline(try changes.statements()) }
        return given
    }
}
