internal import SQLite

extension SQLiteStore: ProviderTokenStore, RequestRateStore {
    /// The token to use: the one that is kept, or the one that is offered, which is kept then.
    public func shareProviderToken(
        _ candidate: SharedProviderToken, key: [UInt8], issuedAfter oldest: Int64
    ) async throws(StoreError) -> SharedProviderToken {
        try await write { [box] database in
            let known = try database.first(
                "SELECT number, issued_at, token FROM provider_tokens WHERE key = ?", [.blob(key)]
            ) { row throws(SQLiteError) in
                (number: try row.integer(0), issuedAt: try row.integer(1), token: try row.bytes(2))
            }
            if let known, known.issuedAt > oldest,
                known.issuedAt <= candidate.issuedAt + SharedProviderToken.aheadSecondsMax
            {
                let place = SharedProviderToken.place(known.number)
                return SharedProviderToken(
                    issuedAt: known.issuedAt, text: try box.open(known.token, at: place))
            }
            try database.execute(
                "DELETE FROM provider_tokens WHERE issued_at < ?",
                [.integer(candidate.issuedAt - SharedProviderToken.keptSeconds)])
            try database.execute(
                """
                INSERT INTO provider_tokens (key, issued_at, token) VALUES (?, ?, x'')
                ON CONFLICT (key) DO UPDATE SET issued_at = excluded.issued_at
                """, [.blob(key), .integer(candidate.issuedAt)])
            // The number is part of what the token is bound to.
            let number = try database.first(
                "SELECT number FROM provider_tokens WHERE key = ?", [.blob(key)]
            ) { row throws(SQLiteError) in try row.integer(0) }
            guard let number else { throw StoreError(.database, "a provider token was not kept") }
            let sealed = try box.seal(candidate.text, at: SharedProviderToken.place(number))
            try database.execute(
                "UPDATE provider_tokens SET token = ? WHERE number = ?", [.blob(sealed), .integer(number)])
            return candidate
        }
    }

    /// One node has a file: it counts by itself.
    public func takeRequests(
        _ count: Int, perSecond: Int, app: Int64
    ) async throws(StoreError) -> RequestGrant? { nil }
}

extension SharedProviderToken {
    /// Rows older than this are of keys that are used no more.
    static let keptSeconds: Int64 = 86_400
    /// How far ahead another node's clock may be; a token from further in the future is of a clock that was set back.
    static let aheadSecondsMax: Int64 = 5 * 60

    static func place(_ number: Int64) -> SecretBox.Place {
        SecretBox.Place(table: "provider_tokens", row: number, column: "token")
    }
}
