/// What each transaction of a store passes on its way in and out, for simulations.
///
/// A simulation decides at a gate when a transaction runs, and whether whoever asked for it hears of its end: a
/// process may die, and a connection break, before a transaction, or after it and before its answer.
package protocol TransactionGate: Sendable {
    /// Waits until a transaction may run.
    ///
    /// - Returns: what ``leave(_:)`` is called with, without another transaction in between.
    /// - Throws: when it must not run.
    func enter(_ kind: TransactionPass.Kind) async throws(StoreError) -> TransactionPass

    /// Waits until the end of a transaction may be heard of; called whether it was kept or undone.
    ///
    /// - Throws: when it must not be heard of.
    func leave(_ pass: TransactionPass) async throws(StoreError)
}

/// One way through a ``TransactionGate``.
package struct TransactionPass: Sendable {
    /// What a transaction does.
    package enum Kind: Sendable {
        case read
        case write
    }

    /// What the transaction does.
    package var kind: Kind
    /// The gate's own number for it.
    package var number: Int

    /// Makes a pass.
    package init(kind: Kind, number: Int) {
        self.kind = kind
        self.number = number
    }
}
