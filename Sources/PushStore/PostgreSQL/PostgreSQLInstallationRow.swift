internal import APNs
internal import PostgreSQL
internal import Recurrence

/// Columns of the table `installations` and the values they are read from.
enum PostgreSQLInstallationRow {
    /// The columns in the order ``read(_:from:)`` wants them, of the alias `i`.
    static let columns: StaticString = """
        i.number, i.valid, i.environment, i.updated_at, i.created_at, i.badge, i.device_type, i.time_zone, \
        i.locale, i.apns_topic, i.apns_team_id, i.device_profile, i.token_registered_at, i.zone_changed_at, \
        i.object_id, i.device_token, i.installation_id, i.channels, i.attributes
        """

    static func read(_ row: Row, from start: Int = 0) throws -> Installation {
        var installation = Installation(
            number: try row.integer(start), objectID: try row.string(start + 14),
            createdAt: Instant(millisecondsSince1970: try row.integer(start + 4)),
            updatedAt: Instant(millisecondsSince1970: try row.integer(start + 3)))
        installation.isValid = try row.boolean(start + 1)
        installation.environment = InstallationRow.environment(try row.integer(start + 2))
        installation.badge = try row.integer(start + 5)
        installation.deviceType = try row.optionalString(start + 6)
        installation.timeZone = try row.optionalString(start + 7)
        installation.locale = try row.optionalString(start + 8)
        installation.apnsTopic = try row.optionalString(start + 9)
        installation.apnsTeamID = try row.optionalString(start + 10)
        installation.deviceProfile = try row.optionalString(start + 11)
        installation.tokenRegisteredAt = try row.optionalInteger(start + 12).map(
            Instant.init(millisecondsSince1970:))
        installation.zoneChangedAt = try row.optionalInteger(start + 13).map(
            Instant.init(millisecondsSince1970:))
        installation.deviceToken = try row.optionalString(start + 15)
        installation.installationID = try row.optionalString(start + 16)
        installation.channels = try row.strings(start + 17)
        installation.attributes = try attributes(try row.string(start + 18))
        return installation
    }

    static func attributes(_ text: String) throws(StoreError) -> [String: JSONValue] {
        if text == "{}" { return [:] }
        guard case .object(let members)? = try? JSONValue(parsing: text) else {
            throw StoreError(.database, "attributes of an installation are no JSON object")
        }
        return members
    }

    static func text(_ attributes: [String: JSONValue]) throws(StoreError) -> String {
        if attributes.isEmpty { return "{}" }
        do {
            return String(decoding: try JSONValue.object(attributes).encoded(), as: UTF8.self)
        } catch {
            throw StoreError(.invalid, error.message)
        }
    }

    /// The rows with these numbers, for a change.
    static func locked(_ numbers: [Int64], app: Int64, _ session: Session) throws -> [Installation] {
        try session.query(
            """
            SELECT \(columns) FROM installations AS i WHERE i.number = ANY($1) AND i.app = $2
            ORDER BY i.number FOR UPDATE
            """, [.integers(numbers), .integer(app)]
        ).map { try read($0) }
    }
}
