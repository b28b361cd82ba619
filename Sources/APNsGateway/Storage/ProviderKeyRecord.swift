package import APNs
package import Crypto

/// A provider's key as `gateway.json` and the control API know it: no secret, only its public half.
package struct ProviderKeyRecord: Hashable, Sendable {
    /// The identifier in the token's header (kid).
    package var keyID: String
    /// The team in the token's claims (iss).
    package var teamID: String
    /// The public half, in PEM.
    package var publicKey: VerifyingKey
    /// The topics a topic-specific key is for; nil for a key of the whole team.
    package var topics: [Topic]?
    /// The key that may be used in turn with this one; only for a topic-specific key.
    package var relatedKeyID: String?
    /// The services the key is for.
    package var environments: Set<Environment>

    /// The number of characters Apple's key and team ids have.
    package static let idCharacterCount = 10
    /// The most topics of one key.
    ///
    /// Apple: Communicate with APNs using authentication tokens.
    package static let topicCountMax = 400

    /// Describes a key.
    package init(
        keyID: String, teamID: String, publicKey: VerifyingKey, topics: [Topic]? = nil,
        relatedKeyID: String? = nil, environments: Set<Environment> = Set(Environment.allCases)
    ) {
        self.keyID = keyID
        self.teamID = teamID
        self.publicKey = publicKey
        self.topics = topics
        self.relatedKeyID = relatedKeyID
        self.environments = environments
    }

    /// The key as validation uses it.
    package var providerKey: ProviderKey {
        let scope = topics.map {
            ProviderKey.Scope.topics(Set($0.map(\.rawValue)), relatedKeyID: relatedKeyID)
        }
        return ProviderKey(
            keyID: keyID, teamID: teamID, verifyingKey: publicKey, scope: scope ?? .team,
            environments: environments)
    }

    /// The record as JSON.
    package var json: JSONValue {
        var members: [String: JSONValue] = [
            "key_id": .string(keyID), "team_id": .string(teamID), "public_key": .string(publicKey.pem),
            "environments": .array(environments.map(\.rawValue).sorted().map { .string($0) }),
        ]
        members["topics"] = topics.map { .array($0.map { .string($0.rawValue) }) }
        members["related_key_id"] = relatedKeyID.map { .string($0) }
        return .object(members)
    }

    /// The names of the members of a record in JSON.
    package static let fields = [
        "key_id", "team_id", "public_key", "topics", "related_key_id", "environments",
    ]

    /// Reads a record.
    ///
    /// - Parameter publicKey: The key to use when the record names none.
    /// - Throws: `invalidField`.
    package init(fields: ControlFields, publicKey: VerifyingKey? = nil) throws(GatewayError) {
        keyID = try ProviderKeyRecord.id(fields, "key_id")
        teamID = try ProviderKeyRecord.id(fields, "team_id")
        if let pem = try fields.string("public_key") {
            do {
                self.publicKey = try VerifyingKey(pem: pem)
            } catch {
                throw GatewayError(code: .invalidField, message: "\(error)", field: "public_key")
            }
        } else if let publicKey {
            self.publicKey = publicKey
        } else {
            throw fields.missing("public_key", allowed: "a P-256 public key in PEM")
        }
        topics = try fields.strings("topics", countMax: ProviderKeyRecord.topicCountMax)?.map {
            text throws(GatewayError) in try ControlFields.topic(text, field: "topics")
        }
        relatedKeyID = try fields.string("related_key_id")
        guard relatedKeyID == nil || topics != nil else {
            throw GatewayError(
                code: .invalidField,
                message: "found related_key_id without topics, allowed for topic-specific keys",
                field: "related_key_id")
        }
        let names = try fields.strings("environments", countMax: Environment.allCases.count)
        environments = Set(
            try names?.map { text throws(GatewayError) in
                try ControlFields.environment(text, field: "environments")
            } ?? Environment.allCases)
        guard !environments.isEmpty else {
            throw fields.missing("environments", allowed: "one or more of production, sandbox")
        }
    }

    private static func id(_ fields: ControlFields, _ name: String) throws(GatewayError) -> String {
        let allowed = "\(idCharacterCount) letters and digits"
        guard let id = try fields.string(name) else { throw fields.missing(name, allowed: allowed) }
        guard id.utf8.count == idCharacterCount, id.utf8.allSatisfy(isLetterOrDigit) else {
            throw GatewayError(
                code: .invalidField, message: "found \(name) \"\(id.prefix(40))\", allowed: \(allowed)",
                field: name)
        }
        return id
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
        default: false
        }
    }
}
