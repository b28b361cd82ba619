internal import Synchronization

/// A fixed number of event loops, handed out in turn.
public final class EventLoopGroup: Sendable {
    /// The loops, in the order they are handed out.
    public let loops: [EventLoop]
    private let counter = Atomic<Int>(0)

    /// Starts loops.
    ///
    /// - Parameters:
    ///   - count: how many threads; at least one is started.
    ///   - name: a prefix for the threads' names.
    public init(count: Int, name: String = "belfry-io") {
        loops = (0..<max(count, 1)).map { EventLoop(name: "\(name)-\($0)") }
    }

    /// The next loop in turn; callable from any thread.
    public func next() -> EventLoop {
        let index = counter.wrappingAdd(1, ordering: .relaxed).oldValue
        return loops[Int(UInt(bitPattern: index) % UInt(loops.count))]
    }

    /// Ends every loop; returns at once.
    public func shutdown() {
        for loop in loops { loop.shutdown() }
    }
}
