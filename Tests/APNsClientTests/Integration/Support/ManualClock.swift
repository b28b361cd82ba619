import Synchronization
import Transport

/// The machine's clock, put forward by a test.
final class ManualClock: Sendable {
    private let offset: Mutex<Int64>

    init(minutes: Int64 = 0) {
        offset = Mutex(minutes * 60_000)
    }

    func advance(minutes: Int64) {
        offset.withLock { $0 += minutes * 60_000 }
    }

    var clock: WallClock {
        WallClock { [self] in WallClock.system.millisecondsSince1970 + offset.withLock { $0 } }
    }
}
