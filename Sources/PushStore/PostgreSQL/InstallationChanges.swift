internal import PostgreSQL
internal import Recurrence

/// Rows of installations before and after a transaction, written all at once.
///
/// However many rows it is, it is one round trip: each table gets one statement that takes the rows as arrays.
struct InstallationChanges {
    /// A unique text of a row, or one that finds it.
    struct Key: Hashable {
        var app: Int64
        /// 0: objectId, 1: device token.
        var kind: Int64
        var text: String
    }

    private struct Entry {
        var app: Int64
        var old: Installation?
        var new: Installation?
    }

    private var entries: [Int64: Entry] = [:]
    /// In the order they came in, so that all transactions lock rows alike.
    private var order: [Int64] = []

    var isEmpty: Bool { entries.isEmpty }

    /// Notes what a row is to become; nil deletes it.
    mutating func set(_ new: Installation?, from old: Installation?, number: Int64, app: Int64) {
        if entries[number] == nil {
            order.append(number)
            entries[number] = Entry(app: app, old: old, new: new)
        } else {
            entries[number]?.new = new
        }
    }

    /// The statements that bring the tables there.
    func statements() throws(StoreError) -> [Statement] {
        var inserted = Columns()
        var updated = Columns()
        var deleted: [Int64] = []
        var keysGone = KeyRows()
        var keysNew = KeyRows()
        var idsGone = KeyRows()
        var idsNew = KeyRows()
        var channelsGone = KeyRows()
        var channelsNew = KeyRows()
        for number in order.sorted() {
            guard let entry = entries[number], entry.old != nil || entry.new != nil else { continue }
            if let new = entry.new {
                if entry.old == nil {
                    try inserted.add(new, app: entry.app)
                } else {
                    try updated.add(new, app: entry.app)
                }
            } else {
                deleted.append(number)
            }
            let app = entry.app
            if entry.old?.objectID != entry.new?.objectID {
                if let id = entry.old?.objectID { keysGone.add(app, 0, id, number) }
                if let id = entry.new?.objectID { keysNew.add(app, 0, id, number) }
            }
            if entry.old?.deviceToken != entry.new?.deviceToken {
                if let token = entry.old?.deviceToken { keysGone.add(app, 1, token, number) }
                if let token = entry.new?.deviceToken { keysNew.add(app, 1, token, number) }
            }
            if entry.old?.installationID != entry.new?.installationID {
                if let id = entry.old?.installationID { idsGone.add(app, 0, id, number) }
                if let id = entry.new?.installationID { idsNew.add(app, 0, id, number) }
            }
            let former = Set(entry.old?.channels ?? [])
            let latter = Set(entry.new?.channels ?? [])
            for channel in former.subtracting(latter) { channelsGone.add(app, 0, channel, number) }
            for channel in latter.subtracting(former) { channelsNew.add(app, 0, channel, number) }
        }
        // What goes goes first: a token may move from one row to another.
        var statements: [Statement] = []
        if !deleted.isEmpty {
            for table in ["installations", "installation_interests", "seen_articles", "recent_events"] {
                let column = table == "installations" ? "number" : "installation"
                statements.append(
                    Statement("DELETE FROM \(table) WHERE \(column) = ANY($1)", [.integers(deleted)]))
            }
        }
        statements += keysGone.statements(
            """
            DELETE FROM installation_keys AS k USING unnest($1, $2, $3, $4) AS g(app, kind, key, number)
            WHERE k.app = g.app AND k.kind = g.kind AND k.key = g.key AND k.installation = g.number
            """)
        statements += idsGone.statements(
            """
            DELETE FROM installation_ids AS k USING unnest($1, $2, $3, $4) AS g(app, kind, key, number)
            WHERE k.app = g.app AND k.installation_id = g.key AND k.installation = g.number
            """)
        statements += channelsGone.statements(
            """
            DELETE FROM installation_channels AS k USING unnest($1, $2, $3, $4) AS g(app, kind, key, number)
            WHERE k.app = g.app AND k.channel = g.key AND k.installation = g.number
            """)
        if !updated.isEmpty { statements.append(Statement(Self.updateSQL, updated.values)) }
        if !inserted.isEmpty { statements.append(Statement(Self.insertSQL, inserted.values)) }
        statements += keysNew.statements(
            """
            INSERT INTO installation_keys (app, kind, key, installation)
            SELECT * FROM unnest($1, $2, $3, $4) AS n(app, kind, key, number) ORDER BY 1, 2, 3
            """)
        statements += idsNew.statements(
            """
            INSERT INTO installation_ids (app, installation_id, installation)
            SELECT app, key, number FROM unnest($1, $2, $3, $4) AS n(app, kind, key, number) ON CONFLICT DO NOTHING
            """)
        statements += channelsNew.statements(
            """
            INSERT INTO installation_channels (app, channel, installation)
            SELECT app, key, number FROM unnest($1, $2, $3, $4) AS n(app, kind, key, number) ON CONFLICT DO NOTHING
            """)
        return statements
    }

    // MARK: - Rows as arrays

    private static let names = [
        "number", "app", "valid", "environment", "updated_at", "created_at", "badge", "device_type",
        "time_zone", "locale", "apns_topic", "apns_team_id", "device_profile", "token_registered_at",
        "zone_changed_at", "object_id", "device_token", "installation_id", "channels", "attributes",
    ]

    private static let unnested =
        "unnest(" + (1...names.count).map { "$\($0)" }.joined(separator: ", ")
        + ") AS r(\(names.joined(separator: ", ")))"

    /// How a column's value comes out of its array.
    private static func read(_ name: String) -> String {
        switch name {
        case "environment": "r.environment::smallint"
        // Each name has a comma before it, which tells no name from the empty one.
        case "channels": "(string_to_array(r.channels, ','))[2:]"
        case "attributes": "r.attributes::jsonb"
        default: "r.\(name)"
        }
    }

    private static let insertSQL = """
        INSERT INTO installations (\(names.joined(separator: ", ")))
        SELECT \(names.map(read).joined(separator: ", ")) FROM \(unnested)
        """

    private static let updateSQL = """
        UPDATE installations AS i SET \(names.dropFirst(2).map { "\($0) = \(read($0))" }.joined(separator: ", "))
        FROM \(unnested) WHERE i.number = r.number
        """

    private struct Columns {
        private var numbers: [Int64] = []
        private var apps: [Int64] = []
        private var valid: [Bool] = []
        private var integers: [[Int64?]] = Array(repeating: [], count: 6)
        private var texts: [[String?]] = Array(repeating: [], count: 11)

        var isEmpty: Bool { numbers.isEmpty }

        mutating func add(_ row: Installation, app: Int64) throws(StoreError) {
            numbers.append(row.number)
            apps.append(app)
            valid.append(row.isValid)
            for (index, value) in [
                InstallationRow.number(row.environment), row.updatedAt.millisecondsSince1970,
                row.createdAt.millisecondsSince1970, row.badge, row.tokenRegisteredAt?.millisecondsSince1970,
                row.zoneChangedAt?.millisecondsSince1970,
            ].enumerated() { integers[index].append(value) }
            let texts: [String?] = [
                row.deviceType, row.timeZone, row.locale, row.apnsTopic, row.apnsTeamID, row.deviceProfile,
                row.objectID, row.deviceToken, row.installationID,
                row.channels.map { ",\($0)" }.joined(), try PostgreSQLInstallationRow.text(row.attributes),
            ]
            for (index, text) in texts.enumerated() { self.texts[index].append(text) }
        }

        var values: [Value] {
            [.integers(numbers), .integers(apps), .booleans(valid)]
                + integers.prefix(4).map { .integers($0) } + texts.prefix(6).map { .texts($0) }
                + integers.suffix(2).map { .integers($0) } + texts.suffix(5).map { .texts($0) }
        }
    }

    private struct KeyRows {
        private var apps: [Int64] = []
        private var kinds: [Int64] = []
        private var keys: [String] = []
        private var numbers: [Int64] = []

        mutating func add(_ app: Int64, _ kind: Int64, _ key: String, _ number: Int64) {
            apps.append(app)
            kinds.append(kind)
            keys.append(key)
            numbers.append(number)
        }

        func statements(_ sql: String) -> [Statement] {
            guard !apps.isEmpty else { return [] }
            return [
                Statement(sql, [.integers(apps), .integers(kinds), .texts(keys), .integers(numbers)])
            ]
        }
    }
}
