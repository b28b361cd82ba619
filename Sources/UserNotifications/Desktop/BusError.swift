internal import Foundation

/// A call on the bus failed.
struct BusError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was called.
    let call: String
    /// The number of `errno.h`.
    let number: Int32

    /// Whether nobody has the service's name, or it did not answer in time.
    var isServiceAbsent: Bool { [EHOSTUNREACH, ENXIO, ETIMEDOUT, ENOENT].contains(number) }

    var description: String { "\(call): error \(number)" }

    /// Throws for a negative result of the library.
    @discardableResult
    static func check(_ result: Int32, _ call: String) throws(BusError) -> Int32 {
        guard result >= 0 else { throw BusError(call: call, number: -result) }
        return result
    }
}
