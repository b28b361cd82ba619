/// The numbers of the batches that a service's own senders have in hand; pure.
struct HeldBatches: Sendable {
    /// What is in hand, as far as is known.
    private(set) var numbers: Set<Int64> = []
    private var claimingCount = 0

    /// A sender asks for a batch.
    ///
    /// - Returns: what is in hand; nil while another asks, since nobody knows what that will have.
    mutating func beginClaim() -> Set<Int64>? {
        defer { claimingCount += 1 }
        return claimingCount == 0 ? numbers : nil
    }

    /// The sender has its answer.
    mutating func endClaim(with number: Int64?) {
        claimingCount -= 1
        if let number { numbers.insert(number) }
    }

    /// A sender has brought its batch to an end, or given it up.
    mutating func remove(_ number: Int64) { numbers.remove(number) }
}
