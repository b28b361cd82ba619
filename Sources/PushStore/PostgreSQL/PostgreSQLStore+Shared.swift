internal import PostgreSQL

extension PostgreSQLStore: ProviderTokenStore, RequestRateStore {
    /// The token to use: the one that is kept, or the one that is offered, which is kept then.
    public func shareProviderToken(
        _ candidate: SharedProviderToken, key: [UInt8], issuedAfter oldest: Int64
    ) async throws(StoreError) -> SharedProviderToken {
        try await write { [box] session in
            // Of nodes that offer at once one goes first; the others wait here and find its token.
            let taken = try session.query(
                """
                INSERT INTO provider_tokens AS kept (key, issued_at, token) VALUES ($1, $2, '')
                ON CONFLICT (key) DO UPDATE SET issued_at = excluded.issued_at
                    WHERE kept.issued_at <= $3 OR kept.issued_at > excluded.issued_at + $4
                RETURNING number
                """,
                [
                    .bytes(key), .integer(candidate.issuedAt), .integer(oldest),
                    .integer(SharedProviderToken.aheadSecondsMax),
                ])
            if let number = try taken.first?.integer(0) {
                let sealed = try box.seal(candidate.text, at: SharedProviderToken.place(number))
                try session.execute(
                    "UPDATE provider_tokens SET token = $1 WHERE number = $2",
                    [.bytes(sealed), .integer(number)])
                try session.execute(
                    "DELETE FROM provider_tokens WHERE issued_at < $1",
                    [.integer(candidate.issuedAt - SharedProviderToken.keptSeconds)])
                return candidate
            }
            let kept = try session.query(
                "SELECT number, issued_at, token FROM provider_tokens WHERE key = $1", [.bytes(key)])
            guard let row = kept.first else { return candidate }
            let place = SharedProviderToken.place(try row.integer(0))
            return SharedProviderToken(
                issuedAt: try row.integer(1), text: try box.open(try row.bytes(2), at: place))
        }
    }

    /// Takes up to so many requests out of an app's allowance.
    public func takeRequests(
        _ count: Int, perSecond: Int, app: Int64
    ) async throws(StoreError) -> RequestGrant? {
        let capacity = Int64(perSecond) * 1000
        return try await write { session in
            // `credit` before the grant is what was left and what has come since: a millisecond brings as many
            // thousandths as a second brings requests.
            let rows = try session.query(
                """
                INSERT INTO request_rates AS kept (app, credit, granted, at)
                VALUES ($1, $2 - least($3, $4) * 1000, least($3, $4), clock_timestamp())
                ON CONFLICT (app) DO UPDATE SET (credit, granted, at) = (
                    SELECT filled - taken * 1000, taken, clock_timestamp()
                    FROM (SELECT least($2, kept.credit + $4 * greatest(0, least(1000,
                        extract(epoch FROM clock_timestamp() - kept.at) * 1000))::bigint) AS filled) AS credit,
                    LATERAL (SELECT greatest(0, least($3, filled / 1000)) AS taken) AS grants)
                RETURNING granted, credit
                """,
                [.integer(app), .integer(capacity), .integer(Int64(count)), .integer(Int64(perSecond))])
            guard let row = rows.first else { throw StoreError(.database, "an allowance was not kept") }
            let missing = max(0, 1000 - (try row.integer(1)))
            return RequestGrant(
                count: Int(try row.integer(0)),
                nextMilliseconds: (missing + Int64(perSecond) - 1) / Int64(perSecond))
        }
    }
}
