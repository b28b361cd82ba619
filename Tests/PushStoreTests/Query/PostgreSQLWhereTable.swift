import APNs
import FoundationEssentials
import PostgreSQL
import PushStore
import Recurrence

/// A PostgreSQL store whose tables are filled with objects as the REST API shows them, whatever they are.
final class PostgreSQLWhereTable {
    let session: Session
    private let store: any Store
    private var count: Int64 = 0
    private var rows: [[Value]] = []
    private var keys: [[Value]] = []
    private var identifiers: [[Value]] = []
    private var channels: [[Value]] = []
    private var interests: [[Value]] = []

    static func with<Success>(_ body: (PostgreSQLWhereTable) async throws -> Success) async throws -> Success
    {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let store = try await StoreUnderTest.postgresql.open(folder, .random())
        do {
            let address = try await folder.schema()
            let success = try await body(
                PostgreSQLWhereTable(try Session(Session.Configuration(connectionString: address)), store))
            await store.close()
            return success
        } catch {
            await store.close()
            throw error
        }
    }

    private init(_ session: Session, _ store: any Store) {
        self.session = session
        self.store = store
    }

    /// Adds an object, and a row of another app that is the same; gives its number.
    func insert(_ object: [String: JSONValue]) throws -> Int64 {
        count += 2
        try insert(object, number: count, app: WhereTable.app)
        try insert(object, number: count + 1, app: WhereTable.app + 1)
        return count
    }

    private func insert(_ object: [String: JSONValue], number: Int64, app: Int64) throws {
        var attributes = object
        func text(_ key: String) -> String? {
            if case .string(let text)? = attributes.removeValue(forKey: key) { text } else { nil }
        }
        func milliseconds(_ key: String) -> Int64 {
            text(key).flatMap(Instant.init(iso8601:))?.millisecondsSince1970 ?? 0
        }
        let objectID = text("objectId") ?? "row\(number)"
        let deviceToken = text("deviceToken")
        let installationID = text("installationId")
        var badge: Int64 = 0
        if case .integer(let number)? = attributes.removeValue(forKey: "badge") { badge = number }
        let isValid = attributes.removeValue(forKey: "valid") != false
        let environment = text("environment")
        var names: [String] = []
        if case .array(let list)? = attributes.removeValue(forKey: "channels") {
            for case .string(let name) in list { names.append(name) }
        }
        let tags = attributes.removeValue(forKey: "interests")
        var row: [Value] = [
            .integer(number), .integer(app), .text(objectID), .text(deviceToken), .text(installationID),
            .integer(badge), .boolean(isValid),
            .integer(environment == "production" ? 1 : environment == "sandbox" ? 2 : 0),
            .integer(milliseconds("createdAt")), .integer(milliseconds("updatedAt")), .texts(names),
        ]
        for key in ["deviceType", "apnsTopic", "apnsTeamId", "deviceProfile", "timeZone"] {
            row.append(.text(text(key)))
        }
        row.append(.text(String(decoding: try JSONValue.object(attributes).encoded(), as: UTF8.self)))
        rows.append(row)
        keys.append([.integer(app), 0, .text(objectID), .integer(number)])
        if let deviceToken { keys.append([.integer(app), 1, .text(deviceToken), .integer(number)]) }
        if let installationID {
            identifiers.append([.integer(app), .text(installationID), .integer(number)])
        }
        for name in names { channels.append([.integer(app), .text(name), .integer(number)]) }
        if case .object(let members)? = tags {
            for case (let tag, .number(let value)) in members {
                let score = InterestScale().score(ofValue: value, at: WhereTable.now)
                interests.append([.integer(app), .text(tag), .integer(number), .real(score)])
            }
        }
    }

    /// Writes all objects.
    func finish() throws {
        try session.pipeline(
            rows.map {
                Statement(
                    """
                    INSERT INTO installations (number, app, object_id, device_token, installation_id, badge, valid, \
                    environment, created_at, updated_at, channels, device_type, apns_topic, apns_team_id, \
                    device_profile, time_zone, attributes) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, \
                    $13, $14, $15, $16, $17::text::jsonb)
                    """, $0)
            })
        try session.copy("installation_keys", "app, kind, key, installation", keys)
        try session.copy("installation_ids", "app, installation_id, installation", identifiers)
        try session.copy("installation_channels", "app, channel, installation", channels)
        try session.copy("installation_interests", "app, tag, installation, score", interests)
    }

    /// The numbers of the rows a clause matches, in their order.
    func numbers(_ clause: WhereClause) async throws -> [Int64] {
        try await store.scanInstallations(
            clause, after: 0, limit: 1_000, app: WhereTable.app, now: WhereTable.now
        ).map(\.number)
    }

    func count(_ clause: WhereClause) async throws -> Int {
        try await store.installationCount(clause, app: WhereTable.app, now: WhereTable.now)
    }

    func find(_ clause: WhereClause?, _ order: [InstallationFind.Order]) async throws -> [Int64] {
        try await store.installations(
            InstallationFind(filter: clause, order: order), app: WhereTable.app, now: WhereTable.now
        ).map(\.number)
    }
}
