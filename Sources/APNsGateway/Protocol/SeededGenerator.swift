/// A small, fast random generator whose seed decides every value: for identifiers and faults, not secrets.
///
/// The algorithm is xoshiro256**, its state filled by SplitMix64 from the seed. The system's generator would
/// cost a system call for each identifier and could not be replayed.
package struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: (UInt64, UInt64, UInt64, UInt64)

    /// Starts the sequence of one seed.
    package init(seed: UInt64) {
        var seed = seed
        state = (
            SeededGenerator.mixed(&seed), SeededGenerator.mixed(&seed), SeededGenerator.mixed(&seed),
            SeededGenerator.mixed(&seed)
        )
    }

    /// The next 64 random bits.
    package mutating func next() -> UInt64 {
        let result = rotated(state.1 &* 5, 7) &* 9
        let shifted = state.1 << 17
        state.2 ^= state.0
        state.3 ^= state.1
        state.1 ^= state.2
        state.0 ^= state.3
        state.2 ^= shifted
        state.3 = rotated(state.3, 45)
        return result
    }

    /// The next number that is at least 0 and below 1.
    package mutating func nextUnit() -> Double {
        Double(next() >> 11) * 0x1p-53
    }

    private func rotated(_ value: UInt64, _ count: UInt64) -> UInt64 {
        value << count | value >> (64 - count)
    }

    private static func mixed(_ seed: inout UInt64) -> UInt64 {
        seed &+= 0x9e37_79b9_7f4a_7c15
        var value = seed
        value = (value ^ value >> 30) &* 0xbf58_476d_1ce4_e5b9
        value = (value ^ value >> 27) &* 0x94d0_49bb_1331_11eb
        return value ^ value >> 31
    }
}
