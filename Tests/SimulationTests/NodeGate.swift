import PushStore

/// The way of a node's transactions to the database.
struct NodeGate: TransactionGate {
    let node: SimulatedNode
    let simulation: Simulation

    func enter(_ kind: TransactionPass.Kind) async throws(StoreError) -> TransactionPass {
        let delay = simulation.storeDelay(kind)
        if delay > 0 { await simulation.wait(delay, on: node) }
        try check()
        if simulation.storeFails(kind) {
            simulation.trace(node, "the store refuses a \(kind)")
            throw StoreError(.database, "simulated: the database cannot be reached")
        }
        return TransactionPass(kind: kind, number: simulation.observer.begin(node, isWriting: kind == .write))
    }

    func leave(_ pass: TransactionPass) async throws(StoreError) {
        let news = simulation.observer.end(pass.number, by: node)
        if pass.kind == .write || news.isEmpty == false {
            let delay = simulation.storeDelay(pass.kind)
            if delay > 0 { await simulation.wait(delay, on: node) }
        }
        try check()
        if pass.kind == .write, simulation.storeAnswerIsLost() {
            simulation.trace(node, "the store's answer is lost")
            simulation.observer.lost(news)
            throw StoreError(.database, "simulated: the connection to the database was lost")
        }
        simulation.observer.told(news)
    }

    private func check() throws(StoreError) {
        guard node.isAlive else { throw StoreError(.database, "simulated: the process was killed") }
    }
}
