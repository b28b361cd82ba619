// @unchecked: `storage` is reached through `value` only, which asserts the loop's thread.
/// A slot for an object that only one event loop touches, held by something that others may hold.
///
/// Reading or writing the value anywhere but on the loop traps in debug builds.
public final class LoopBound<Value>: @unchecked Sendable {
    private let loop: EventLoop
    private var storage: Value?

    /// Makes an empty slot of a loop; callable from any thread.
    public init(loop: EventLoop) {
        self.loop = loop
    }

    /// The object; loop only.
    public var value: Value? {
        get {
            loop.assertCurrent()
            return storage
        }
        set {
            loop.assertCurrent()
            storage = newValue
        }
    }
}
