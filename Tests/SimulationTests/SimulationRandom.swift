/// Numbers that look random and are the same for the same seed, on every machine: SplitMix64.
struct SimulationRandom {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }

    /// One of 0 ..< count.
    mutating func below(_ count: Int) -> Int { Int(next() >> 1) % max(1, count) }

    mutating func between<Number: BinaryInteger>(_ range: ClosedRange<Number>) -> Number {
        range.lowerBound + Number(next() >> 33) % (range.upperBound - range.lowerBound + 1)
    }

    /// True so often in a thousand times.
    mutating func isTrue(perMille: Int) -> Bool { below(1_000) < perMille }

    /// Microseconds within a range.
    mutating func time(_ range: ClosedRange<Int64>) -> Int64 { between(range) }

    mutating func element<Element>(of elements: [Element]) -> Element { elements[below(elements.count)] }
}
