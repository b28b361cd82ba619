package import APNs

/// What `gateway.json` holds: which keys there are, and where the gateway last listened.
package struct GatewaySettings: Hashable, Sendable {
    /// The file's name in the data folder.
    package static let fileName = "gateway.json"
    /// The identifier of the key a new folder gets.
    package static let keyIDDefault = "B3LFRY0001"
    /// The team of the key a new folder gets.
    package static let teamIDDefault = "B3LFRYTEAM"

    /// The key whose private half is in the folder, `AuthKey_<keyid>.p8`.
    package var keyID = GatewaySettings.keyIDDefault
    /// Its team.
    package var teamID = GatewaySettings.teamIDDefault
    /// The topics that key is for; nil for every topic of the team.
    package var topics: [Topic]?
    /// Where the gateway last listened, by the names `production`, `sandbox` and `control`; for other tools.
    package var ports: [String: Int] = [:]
    /// Keys that were added through the control API.
    package var keys: [ProviderKeyRecord] = []

    /// Makes the settings of a new folder.
    package init() {}

    private static let fields = ["key_id", "team_id", "topics", "ports", "keys"]

    /// Reads the file's content.
    ///
    /// - Throws: `invalidField`, naming the member.
    package init(json text: [UInt8]) throws(GatewayError) {
        let fields = try ControlFields(json: text, allowed: GatewaySettings.fields)
        keyID = try fields.string("key_id") ?? keyID
        teamID = try fields.string("team_id") ?? teamID
        topics = try fields.strings("topics", countMax: ProviderKeyRecord.topicCountMax)?.map {
            text throws(GatewayError) in try ControlFields.topic(text, field: "topics")
        }
        if case .object(let members)? = fields["ports"] {
            ports = members.compactMapValues { if case .integer(let port) = $0 { Int(port) } else { nil } }
        }
        if case .array(let records)? = fields["keys"] {
            keys = try records.map { record throws(GatewayError) in
                try ProviderKeyRecord(
                    fields: ControlFields(json: record, allowed: ProviderKeyRecord.fields))
            }
        }
    }

    /// The file's content.
    package var json: JSONValue {
        var members: [String: JSONValue] = [
            "key_id": .string(keyID), "team_id": .string(teamID),
            "ports": .object(ports.mapValues { .integer(Int64($0)) }),
        ]
        members["topics"] = topics.map { .array($0.map { .string($0.rawValue) }) }
        if !keys.isEmpty { members["keys"] = .array(keys.map(\.json)) }
        return .object(members)
    }
}
