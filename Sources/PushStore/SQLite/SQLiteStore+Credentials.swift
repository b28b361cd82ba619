internal import APNs
internal import FoundationEssentials
internal import Recurrence
internal import SQLite

extension SQLiteStore {
    /// The credentials of an app, oldest first.
    public func credentials(app: Int64) async throws(StoreError) -> [PushCredential] {
        try await read { [box] database in
            try database.all(
                """
                SELECT number, kind, secret, key_id, team_id, environments, device_profile, topics, expires_at,
                    created_at, check_at, check_is_good, check_message
                FROM credentials WHERE app = ? ORDER BY number
                """, [.integer(app)]
            ) { row throws(SQLiteError) in
                CredentialRow(
                    number: try row.integer(0), kind: try row.string(1), secret: try row.bytes(2),
                    keyID: try row.optionalString(3), teamID: try row.optionalString(4),
                    environments: try row.string(5), deviceProfile: try row.optionalString(6),
                    topics: try row.string(7), expiresAt: try row.optionalInteger(8),
                    createdAt: try row.integer(9), checkAt: try row.optionalInteger(10),
                    checkIsGood: try row.optionalInteger(11), checkMessage: try row.optionalString(12))
            }.map { try $0.credential(box) }
        }
    }

    /// Adds a credential and gives its number.
    public func addCredential(
        _ credential: PushCredential, app: Int64
    ) async throws(StoreError) -> Int64 {
        try Self.check(credential)
        return try await write { [box] database in
            let isKnown = try database.first("SELECT 1 FROM apps WHERE number = ?", [.integer(app)]) { _ in
                true
            }
            guard isKnown != nil else { throw StoreError(.notFound, "there is no app number \(app)") }
            let kind: String
            let secret: String
            let keyID: String?
            let teamID: String?
            switch credential.secret {
            case .key(let p8, let id, let team):
                (kind, secret, keyID, teamID) = ("key", p8, id, team)
            case .certificate(let pem):
                (kind, secret, keyID, teamID) = ("certificate", pem, nil, credential.teamID)
            }
            let environments = credential.environments.map(\.rawValue).sorted().joined(separator: ",")
            try database.execute(
                """
                INSERT INTO credentials (app, kind, secret, key_id, team_id, environments, device_profile,
                    topics, expires_at, created_at, check_at, check_is_good, check_message)
                VALUES (?, ?, x'', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
                [
                    .integer(app), .text(kind), Value(keyID), Value(teamID), .text(environments),
                    Value(credential.deviceProfile), .text(credential.topics.joined(separator: ",")),
                    Value(credential.expiresAt?.millisecondsSince1970),
                    .integer(credential.createdAt.millisecondsSince1970),
                    Value(credential.check?.atMilliseconds),
                    credential.check.map { Value($0.isGood) } ?? .null,
                    Value(credential.check?.message),
                ])
            let number = database.lastInsertedRowID
            try database.execute(
                "UPDATE credentials SET secret = ? WHERE number = ?",
                [.blob(try box.seal(secret, at: CredentialRow.place(number))), .integer(number)])
            try Self.bumpRevision(database)
            return number
        }
    }

    /// Removes a credential.
    public func removeCredential(number: Int64, app: Int64) async throws(StoreError) {
        try await write { database in
            let count = try database.execute(
                "DELETE FROM credentials WHERE number = ? AND app = ?", [.integer(number), .integer(app)])
            guard count == 1 else { throw StoreError(.notFound, "the app has no credential \(number)") }
            try Self.bumpRevision(database)
        }
    }

    /// Stores how a check against APNs ended.
    public func storeCheck(_ check: PushCredential.Check, credential: Int64) async throws(StoreError) {
        try await write { database in
            let count = try database.execute(
                "UPDATE credentials SET check_at = ?, check_is_good = ?, check_message = ? WHERE number = ?",
                [
                    .integer(check.atMilliseconds), Value(check.isGood), .text(check.message),
                    .integer(credential),
                ])
            guard count == 1 else { throw StoreError(.notFound, "there is no credential \(credential)") }
            try Self.bumpRevision(database)
        }
    }

    static func check(_ credential: PushCredential) throws(StoreError) {
        guard !credential.environments.isEmpty else {
            throw StoreError(.invalid, "environments: none was given, at least one is needed")
        }
        for topic in credential.topics { try AppRules.check(topic: topic) }
        if let profile = credential.deviceProfile, !ObjectKey.isName(profile) {
            throw StoreError(
                .invalid, "deviceProfile: allowed are letters, digits and '_', a letter first")
        }
    }
}

/// A row of the table `credentials`.
struct CredentialRow {
    var number: Int64
    var kind: String
    var secret: [UInt8]
    var keyID: String?
    var teamID: String?
    var environments: String
    var deviceProfile: String?
    var topics: String
    var expiresAt: Int64?
    var createdAt: Int64
    var checkAt: Int64?
    var checkIsGood: Int64?
    var checkMessage: String?

    static func place(_ number: Int64) -> SecretBox.Place {
        SecretBox.Place(table: "credentials", row: number, column: "secret")
    }

    func credential(_ box: SecretBox) throws(StoreError) -> PushCredential {
        let text = try box.open(secret, at: CredentialRow.place(number))
        let opened: PushCredential.Secret =
            kind == "key"
            ? .key(p8: text, keyID: keyID ?? "", teamID: teamID ?? "") : .certificate(pem: text)
        var check: PushCredential.Check?
        if let checkAt {
            check = PushCredential.Check(
                atMilliseconds: checkAt, isGood: checkIsGood == 1, message: checkMessage ?? "")
        }
        return PushCredential(
            number: number, secret: opened,
            environments: Set(
                environments.split(separator: ",").compactMap { Environment(rawValue: String($0)) }),
            teamID: teamID, deviceProfile: deviceProfile,
            topics: topics.split(separator: ",").map(String.init),
            expiresAt: expiresAt.map(Instant.init(millisecondsSince1970:)),
            createdAt: Instant(millisecondsSince1970: createdAt), check: check)
    }
}
