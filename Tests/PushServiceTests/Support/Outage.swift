import PushStore
import Synchronization

/// Lets a database fail for some of a store's transactions, before they run.
final class Outage: TransactionGate {
    private struct State {
        var code: StoreError.Code?
        var isMet: @Sendable (TransactionPass) -> Bool = { _ in true }
        var passCount = 0
    }

    private let state = Mutex(State())

    /// Fails with a code from now on, wherever a condition holds.
    func begin(
        _ code: StoreError.Code, where isMet: @escaping @Sendable (TransactionPass) -> Bool = { _ in true }
    ) {
        state.withLock { state in
            state.code = code
            state.isMet = isMet
        }
    }

    func end() { state.withLock { $0.code = nil } }

    /// How many transactions have begun.
    var passCount: Int { state.withLock { $0.passCount } }

    func enter(_ kind: TransactionPass.Kind) async throws(StoreError) -> TransactionPass {
        let (pass, code) = state.withLock { state in
            state.passCount += 1
            let pass = TransactionPass(kind: kind, number: state.passCount)
            return (pass, state.isMet(pass) ? state.code : nil)
        }
        if let code { throw StoreError(code, "on purpose: /var/lib/secret") }
        return pass
    }

    func leave(_ pass: TransactionPass) async throws(StoreError) {}

    /// A store on a database in memory, and another on the same whose transactions pass this.
    func stores(hasThread: Bool = false) throws -> (whole: SQLiteStore, failing: SQLiteStore) {
        let connection = try SQLiteStore.connectionInMemory(hasThread: hasThread)
        let secret = StoreSecret.random()
        let configuration = SQLiteStore.Configuration()
        return (
            try SQLiteStore.open(on: connection, secret: secret, configuration: configuration, gate: nil),
            try SQLiteStore.open(on: connection, secret: secret, configuration: configuration, gate: self)
        )
    }
}
