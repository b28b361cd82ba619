import BelfryKit
import Foundation
import Recurrence
import Synchronization
import UserNotifications

/// A device whose clock, zone, app state and network a test sets; what the library asks of it is noted.
final class TestDevice: ApplicationPlatform, DeviceTime, Sendable {
    struct Contents: Sendable {
        var now = Instant(secondsSince1970: 1_800_000_000)
        var zone = Zone.utc
        var phase = ApplicationPhase.inactive
        var badgeCount = 0
        var identifier: String? = "vendor-1"
        var language: String? = "zh-Hans-CN"
        var settingsCount = 0
        var tokenRequestCount = 0
        var unregisterCount = 0
        var openBackgroundTasks = 0
        var sleepers: [(id: Int, until: Instant, continuation: CheckedContinuation<Void, Never>)] = []
        var nextSleeper = 0
        var reported: [BelfryKitError] = []
        var onTokenRequest: (@Sendable () -> Void)?
    }

    let contents = Mutex(Contents())

    func set(_ body: (inout Contents) -> Void) { contents.withLock { body(&$0) } }
    func read<Value: Sendable>(_ body: (Contents) -> Value) -> Value { contents.withLock { body($0) } }

    var now: Instant { read(\.now) }
    var zone: Zone { read(\.zone) }
    var bundleIdentifier: String { "org.example.app" }
    var applicationVersion: String? { "2.1" }
    var language: String? { read(\.language) }
    var deviceType: String { "ios" }
    var deviceIdentifier: String? { read(\.identifier) }
    var pushEnvironment: PushEnvironment? { .sandbox }

    @MainActor var phase: ApplicationPhase { read(\.phase) }
    @MainActor var badgeCount: Int { read(\.badgeCount) }
    @MainActor func showBadge(_ count: Int) { set { $0.badgeCount = count } }
    @MainActor func registerForRemoteNotifications() {
        set { $0.tokenRequestCount += 1 }
        read(\.onTokenRequest)?()
    }
    @MainActor func unregisterForRemoteNotifications() { set { $0.unregisterCount += 1 } }
    @MainActor func openNotificationSettings() async -> Bool {
        set { $0.settingsCount += 1 }
        return true
    }
    @MainActor func beginBackgroundTask(named name: String) -> @MainActor @Sendable () -> Void {
        set { $0.openBackgroundTasks += 1 }
        return { [self] in set { $0.openBackgroundTasks -= 1 } }
    }

    func wait(until instant: Instant) async {
        let id = contents.withLock { contents in
            contents.nextSleeper += 1
            return contents.nextSleeper
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = contents.withLock { contents in
                    if Task.isCancelled || instant <= contents.now { return true }
                    contents.sleepers.append((id, instant, continuation))
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            let found = contents.withLock { contents in
                let found = contents.sleepers.filter { $0.id == id }
                contents.sleepers.removeAll { $0.id == id }
                return found.map(\.continuation)
            }
            for continuation in found { continuation.resume() }
        }
    }

    /// Moves the clock; who waits for a moment until then goes on.
    func advance(bySeconds seconds: Int64) {
        let over = contents.withLock { contents in
            contents.now = contents.now.advanced(bySeconds: seconds)
            let now = contents.now
            let over = contents.sleepers.filter { $0.until <= now }.map(\.continuation)
            contents.sleepers.removeAll { $0.until <= now }
            return over
        }
        for continuation in over { continuation.resume() }
    }
}
