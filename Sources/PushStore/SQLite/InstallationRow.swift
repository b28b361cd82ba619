internal import APNs
internal import Recurrence
internal import SQLite

/// Columns of the table `installations` and the values they are read from and written to.
enum InstallationRow {
    /// The columns in the order ``read(_:)`` wants them, of the alias `i`.
    static let columns = """
        i.number, i.valid, i.environment, i.updated_at, i.created_at, i.badge, i.device_type, i.time_zone, \
        i.locale, i.apns_topic, i.apns_team_id, i.device_profile, i.token_registered_at, i.zone_changed_at, \
        i.object_id, i.device_token, i.installation_id, i.channels, i.attributes
        """

    static func read(_ row: borrowing Row) throws(SQLiteError) -> Installation {
        var installation = Installation(
            number: try row.integer(0), objectID: try row.string(14),
            createdAt: Instant(millisecondsSince1970: try row.integer(4)),
            updatedAt: Instant(millisecondsSince1970: try row.integer(3)))
        installation.isValid = try row.boolean(1)
        installation.environment = environment(try row.integer(2))
        installation.badge = try row.integer(5)
        installation.deviceType = try row.optionalString(6)
        installation.timeZone = try row.optionalString(7)
        installation.locale = try row.optionalString(8)
        installation.apnsTopic = try row.optionalString(9)
        installation.apnsTeamID = try row.optionalString(10)
        installation.deviceProfile = try row.optionalString(11)
        installation.tokenRegisteredAt = try row.optionalInteger(12).map(Instant.init(millisecondsSince1970:))
        installation.zoneChangedAt = try row.optionalInteger(13).map(Instant.init(millisecondsSince1970:))
        installation.deviceToken = try row.optionalString(15)
        installation.installationID = try row.optionalString(16)
        installation.channels = ChannelName.names(try row.string(17))
        installation.attributes = try attributes(try row.string(18))
        return installation
    }

    /// The stored number of an environment.
    static func number(_ environment: Environment?) -> Int64 {
        switch environment {
        case nil: 0
        case .production?: 1
        case .sandbox?: 2
        }
    }

    /// The environment of a stored number.
    static func environment(_ number: Int64) -> Environment? {
        switch number {
        case 1: .production
        case 2: .sandbox
        default: nil
        }
    }

    /// The attributes as JSON text.
    static func text(_ attributes: [String: JSONValue]) throws(SQLiteError) -> String {
        if attributes.isEmpty { return "{}" }
        do {
            return String(decoding: try JSONValue.object(attributes).encoded(), as: UTF8.self)
        } catch {
            throw SQLiteError(code: .typeMismatch, message: error.message)
        }
    }

    private static func attributes(_ text: String) throws(SQLiteError) -> [String: JSONValue] {
        if text == "{}" { return [:] }
        do {
            guard case .object(let members) = try JSONValue(parsing: text) else {
                throw SQLiteError(code: .typeMismatch, message: "attributes of an installation are no object")
            }
            return members
        } catch {
            throw SQLiteError(code: .typeMismatch, message: "attributes of an installation are no JSON")
        }
    }

    // MARK: - Writing

    /// Values of the columns that every save writes, in the order of ``plainColumns``.
    private static func plainValues(_ row: Installation) throws(SQLiteError) -> [Value] {
        [
            Value(row.isValid), .integer(number(row.environment)),
            .integer(row.updatedAt.millisecondsSince1970), .integer(row.createdAt.millisecondsSince1970),
            .integer(row.badge), Value(row.deviceType), Value(row.timeZone), Value(row.locale),
            Value(row.apnsTopic), Value(row.apnsTeamID), Value(row.deviceProfile),
            Value(row.tokenRegisteredAt?.millisecondsSince1970),
            Value(row.zoneChangedAt?.millisecondsSince1970),
            .text(ChannelName.text(row.channels)), .text(try text(row.attributes)),
        ]
    }

    private static let plainColumns = [
        "valid", "environment", "updated_at", "created_at", "badge", "device_type", "time_zone", "locale",
        "apns_topic", "apns_team_id", "device_profile", "token_registered_at", "zone_changed_at", "channels",
        "attributes",
    ]

    /// A row whose objectId or token is taken is left out, which tells without a look-up of its own.
    private static let insertSQL = """
        INSERT OR IGNORE INTO installations (\(plainColumns.joined(separator: ", ")), app, object_id, device_token, \
        installation_id) VALUES (\(plainColumns.map { _ in "?" }.joined(separator: ", ")), ?, ?, ?, ?)
        """

    /// Adds a row and gives its number; nil when another row has its objectId or token.
    static func insert(
        _ row: Installation, app: Int64, _ database: Database
    ) throws(SQLiteError) -> Int64? {
        let keys: [Value] = [
            .integer(app), .text(row.objectID), Value(row.deviceToken), Value(row.installationID),
        ]
        guard try database.execute(insertSQL, try plainValues(row) + keys) == 1 else { return nil }
        let number = database.lastInsertedRowID
        try insert(channels: row.channels, number, app, database)
        return number
    }

    private static let updateSQL = """
        UPDATE installations SET \(plainColumns.map { "\($0) = ?" }.joined(separator: ", ")) WHERE number = ?
        """
    private static let updateWithKeysSQL = """
        UPDATE installations SET \(plainColumns.map { "\($0) = ?" }.joined(separator: ", ")), \
        device_token = ?, installation_id = ? WHERE number = ?
        """

    /// Writes a row that is there; indexed columns only when they changed, for SQLite rewrites the entries of
    /// every index whose column is named.
    static func update(
        _ row: Installation, from old: Installation, app: Int64, _ database: Database
    ) throws(SQLiteError) {
        let values = try plainValues(row)
        if row.deviceToken == old.deviceToken, row.installationID == old.installationID {
            try database.execute(updateSQL, values + [.integer(row.number)])
        } else {
            try database.execute(
                updateWithKeysSQL,
                values + [Value(row.deviceToken), Value(row.installationID), .integer(row.number)])
        }
        guard row.channels != old.channels else { return }
        let new = Set(row.channels)
        let former = Set(old.channels)
        try delete(channels: former.subtracting(new), row.number, app, database)
        try insert(channels: new.subtracting(former), row.number, app, database)
    }

    /// Deletes a row.
    static func delete(_ row: Installation, app: Int64, _ database: Database) throws(SQLiteError) {
        try database.execute("DELETE FROM installations WHERE number = ?", [.integer(row.number)])
        try delete(channels: row.channels, row.number, app, database)
    }

    private static func insert(
        channels: some Sequence<String>, _ number: Int64, _ app: Int64, _ database: Database
    ) throws(SQLiteError) {
        for channel in channels {
            try database.execute(
                "INSERT OR IGNORE INTO installation_channels (app, channel, installation) VALUES (?, ?, ?)",
                [.integer(app), .text(channel), .integer(number)])
        }
    }

    private static func delete(
        channels: some Sequence<String>, _ number: Int64, _ app: Int64, _ database: Database
    ) throws(SQLiteError) {
        for channel in channels {
            try database.execute(
                "DELETE FROM installation_channels WHERE app = ? AND channel = ? AND installation = ?",
                [.integer(app), .text(channel), .integer(number)])
        }
    }
}
