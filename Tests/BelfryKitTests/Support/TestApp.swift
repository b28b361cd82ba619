import APNs
import BelfryKit
import Foundation
import Recurrence
import Synchronization
import UserNotifications

/// One run of an app on a test's device; a second one with the same parts is the app after its process died.
struct TestApp: Sendable {
    let device: TestDevice
    let service: TestService
    let storage: any KeyValueStorage
    let host: VirtualNotificationHost
    let center: UNUserNotificationCenter
    let belfry: Belfry
    let events = Journal<NotificationEvent>()
    let hookCalls: Journal<String>

    static let address = PushServiceAddress(
        url: URL(fileURLWithPath: "/"), applicationID: "app-id", applicationKey: "UtOCzqb67d3sN12Kts4URwy8")

    init(
        device: TestDevice = TestDevice(), service: TestService = TestService(),
        storage: any KeyValueStorage = MemoryStorage(), sharedStorage: (any KeyValueStorage)? = nil,
        state: NotificationState? = nil, random: Double = 1, reportsReceipts: Bool = false
    ) {
        self.device = device
        self.service = service
        self.storage = storage
        let hookCalls = Journal<String>()
        self.hookCalls = hookCalls
        host = VirtualNotificationHost(now: device.now, zone: device.zone, state: state)
        center = UNUserNotificationCenter(host: host)
        var hooks = Belfry.Hooks()
        hooks.replan = { hookCalls.add("replan") }
        hooks.clearReminders = { hookCalls.add("clear") }
        hooks.report = { error in device.set { $0.reported.append(error) } }
        var address = Self.address
        if let url = URL(string: "https://push.example.org") { address.url = url }
        belfry = Belfry(
            service: address, center: center, platform: device, transport: service, storage: storage,
            sharedStorage: sharedStorage, time: device, random: { random },
            reportsReceipts: reportsReceipts, hooks: hooks)
    }

    /// Launches, and gives the token that the system is asked for.
    @MainActor func launch(token: [UInt8]? = [0xab, 0x01], cause: LaunchCause = .plain) async {
        device.set { [belfry] contents in
            contents.onTokenRequest = {
                if let token { belfry.didRegisterForRemoteNotifications(withDeviceToken: Data(token)) }
            }
        }
        belfry.start(cause)
        await settle()
    }

    func listen() {
        belfry.onEvent { [events] event in events.add(event) }
    }

    func settle() async {
        for _ in 0..<3 {
            await host.link?.settle()
            await belfry.settle()
        }
    }

    /// A visible push arrives.
    func push(_ json: String, identifier: String = "AAAAbbbbCCCC0001") async throws {
        center.service.receive(try RequestRecord(remote: Array(json.utf8), identifier: identifier))
        await settle()
    }
}

/// What happened, in order.
final class Journal<Entry: Sendable>: Sendable {
    private let contents = Mutex<[Entry]>([])
    var entries: [Entry] { contents.withLock { $0 } }
    func add(_ entry: Entry) { contents.withLock { $0.append(entry) } }
}
