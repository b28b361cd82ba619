/// Random numbers for tokens and ids: the system's, or a seeded sequence for tests.
package struct GatewayRandom: RandomNumberGenerator, Sendable {
    private var system = SystemRandomNumberGenerator()
    private var seeded: SeededGenerator?

    /// The system's secure generator, or a sequence that a seed decides.
    package init(seed: UInt64? = nil) {
        seeded = seed.map(SeededGenerator.init(seed:))
    }

    /// The next 64 random bits.
    package mutating func next() -> UInt64 {
        seeded == nil ? system.next() : seeded?.next() ?? 0
    }
}
