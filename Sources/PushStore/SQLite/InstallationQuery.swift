internal import APNs
internal import Recurrence
internal import SQLite

/// The SQL of a query for installations; texts from outside are values, never SQL.
struct InstallationQuery: Sendable {
    /// What follows `WHERE`, on the alias `i`.
    var condition: String
    /// Values of the condition's placeholders.
    var values: [Value]
    /// What follows `ORDER BY`.
    var order = "i.number"
    /// Values of the order's placeholders.
    var orderValues: [Value] = []

    /// The most keys a list is sorted by.
    static let orderCountMax = 8

    init(_ filter: WhereClause?, app: Int64, now: Instant) throws(StoreError) {
        guard filter == nil else { throw StoreError(.invalid, "where: not known yet") }
        condition = "+i.app = ?"
        values = [.integer(app)]
    }

    /// The query with an order.
    func ordered(by keys: [InstallationFind.Order]) throws(StoreError) -> InstallationQuery {
        guard !keys.isEmpty else { return self }
        guard keys.count <= Self.orderCountMax else {
            throw StoreError(
                .invalid, "order: \(keys.count) keys were found, \(Self.orderCountMax) are allowed")
        }
        var query = self
        var terms: [String] = []
        for key in keys {
            let direction = key.isDescending ? "DESC" : "ASC"
            if let column = Self.column(key.key) {
                terms.append("i.\(column) \(direction)")
                continue
            }
            let names = key.key.split(separator: ".", omittingEmptySubsequences: false)
            guard names.allSatisfy({ ObjectKey.isName(String($0)) }) else {
                throw StoreError(.invalid, "order: \(ObjectKey.shown(key.key)) is no key")
            }
            terms.append("i.attributes ->> ? \(direction)")
            query.orderValues.append(.text("$" + names.map { ".\"\($0)\"" }.joined()))
        }
        query.order = terms.joined(separator: ", ") + ", i.number"
        return query
    }

    private static func column(_ key: String) -> StaticString? {
        switch key {
        case InstallationKey.objectID: "object_id"
        case InstallationKey.createdAt: "created_at"
        case InstallationKey.updatedAt: "updated_at"
        case InstallationKey.deviceType: "device_type"
        case InstallationKey.deviceToken: "device_token"
        case InstallationKey.installationID: "installation_id"
        case InstallationKey.apnsTopic: "apns_topic"
        case InstallationKey.apnsTeamID: "apns_team_id"
        case InstallationKey.deviceProfile: "device_profile"
        case InstallationKey.timeZone: "time_zone"
        case InstallationKey.badge: "badge"
        case InstallationKey.channels: "channels"
        case InstallationKey.valid: "valid"
        case InstallationKey.environment: "environment"
        default: nil
        }
    }
}
