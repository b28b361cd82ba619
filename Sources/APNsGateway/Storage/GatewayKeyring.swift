internal import Synchronization

/// The keys whose tokens the gateway accepts; keys added while it runs are saved in `gateway.json`.
package final class GatewayKeyring: Sendable {
    /// The most keys beside the gateway's own.
    ///
    /// Apple: Communicate with APNs using authentication tokens, allows 200 topic-specific keys an environment.
    package static let keyCountMax = 400

    private struct State {
        var identity: GatewayIdentity?
        var records: [ProviderKeyRecord]
    }

    private let state: Mutex<State>
    private let verifier: ProviderTokenVerifier

    /// Makes a keyring with the identity's keys and hands them to the verifier.
    package init(identity: GatewayIdentity, verifier: ProviderTokenVerifier) {
        state = Mutex(State(identity: identity, records: identity.keyRecords))
        self.verifier = verifier
        verifier.replaceKeys(identity.keyRecords.map(\.providerKey))
    }

    /// Makes a keyring that saves nothing; for tests.
    package init(records: [ProviderKeyRecord] = [], verifier: ProviderTokenVerifier) {
        state = Mutex(State(identity: nil, records: records))
        self.verifier = verifier
        verifier.replaceKeys(records.map(\.providerKey))
    }

    /// The keys, the gateway's own first.
    package var records: [ProviderKeyRecord] { state.withLock { $0.records } }

    /// Adds a key, whose tokens are accepted from now on; blocks on the disk.
    ///
    /// - Throws: `conflict` for a key id that is taken, `limitReached`, `storage`.
    package func add(_ record: ProviderKeyRecord) throws(GatewayError) {
        try state.withLock { state throws(GatewayError) in
            guard !state.records.contains(where: { $0.keyID == record.keyID }) else {
                throw GatewayError(
                    code: .conflict, message: "the gateway already has a key \(record.keyID)", field: "key_id"
                )
            }
            guard state.records.count <= GatewayKeyring.keyCountMax else {
                throw GatewayError(
                    code: .limitReached,
                    message: "the gateway has \(GatewayKeyring.keyCountMax) keys, the most allowed")
            }
            try state.identity?.update { $0.keys.append(record) }
            state.records.append(record)
            verifier.replaceKeys(state.records.map(\.providerKey))
        }
    }
}
