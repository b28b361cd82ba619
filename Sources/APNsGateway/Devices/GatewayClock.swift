internal import Synchronization

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

/// The time by which devices, storage and tokens age.
package protocol GatewayClock: Sendable {
    /// The time, in milliseconds since 1970.
    var nowMilliseconds: Int64 { get }
    /// How far it is ahead of the machine's, which clients go by.
    var aheadMilliseconds: Int64 { get }
    /// Puts the clock forward.
    ///
    /// - Throws: `unavailable` for a clock that cannot be moved.
    func advance(byMilliseconds milliseconds: Int64) throws(GatewayError)
}

/// The system's wall clock, which nobody moves.
package struct SystemGatewayClock: GatewayClock {
    /// Makes the clock.
    package init() {}

    /// The time, in milliseconds since 1970.
    package var nowMilliseconds: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }

    /// Nothing.
    package var aheadMilliseconds: Int64 { 0 }

    /// Refuses.
    package func advance(byMilliseconds milliseconds: Int64) throws(GatewayError) {
        throw GatewayError(
            code: .unavailable, message: "the gateway runs on the system's clock: start it with a virtual one"
        )
    }
}

/// A clock that runs with another one, or stands still, and can be put forward.
package final class VirtualGatewayClock: GatewayClock {
    /// The furthest one step: ten years.
    package static let stepMillisecondsMax: Int64 = 10 * 365 * 24 * 3_600_000

    private let base: (any GatewayClock)?
    private let offset: Mutex<Int64>

    /// Makes a clock that runs with the system's.
    package convenience init() {
        self.init(base: SystemGatewayClock(), offset: 0)
    }

    /// Makes a clock that stands still at a time until it is put forward.
    package convenience init(standingAtMilliseconds milliseconds: Int64) {
        self.init(base: nil, offset: milliseconds)
    }

    private init(base: (any GatewayClock)?, offset: Int64) {
        self.base = base
        self.offset = Mutex(offset)
    }

    /// The time, in milliseconds since 1970.
    package var nowMilliseconds: Int64 { (base?.nowMilliseconds ?? 0) + offset.withLock { $0 } }

    /// What it was put forward by; of one that stands still clients know the time.
    package var aheadMilliseconds: Int64 { base == nil ? 0 : offset.withLock { $0 } }

    /// Puts the clock forward.
    ///
    /// - Throws: `invalidField` for a step back or of more than ten years.
    package func advance(byMilliseconds milliseconds: Int64) throws(GatewayError) {
        guard (0...VirtualGatewayClock.stepMillisecondsMax).contains(milliseconds) else {
            throw GatewayError(
                code: .invalidField,
                message: "found a step of \(milliseconds) ms, allowed: 0 to "
                    + "\(VirtualGatewayClock.stepMillisecondsMax)",
                field: "advance_ms")
        }
        offset.withLock { $0 += milliseconds }
    }
}
