import APNs
import APNsGateway
import Testing

/// A registry with a clock and short words for what tests do to it.
struct World {
    static let start: Int64 = 1_800_000_000_000
    static let day: Int64 = 86_400_000

    var registries: Registries
    var now = World.start
    var generator = SplitMix(seed: 1)
    private var requestCount: UInt64 = 0

    init(_ policy: DevicePolicy = DevicePolicy()) {
        registries = Registries(devices: DeviceRegistry(policy: policy))
    }

    init(_ change: (inout DevicePolicy) -> Void) {
        var policy = DevicePolicy()
        change(&policy)
        self.init(policy)
    }

    var devices: DeviceRegistry {
        get { registries.devices }
        set { registries.devices = newValue }
    }

    static let topic = topic("com.example.app")

    static func topic(_ text: String) -> Topic {
        guard let topic = try? Topic(text) else { fatalError("a test's topic is wrong: \(text)") }
        return topic
    }

    mutating func addPhone(_ name: String = "phone") throws -> DeviceID {
        try registries.devices.addDevice(name: name, at: now, using: &generator)
    }

    mutating func register(
        _ device: DeviceID, _ topic: Topic = World.topic, _ environment: Environment = .sandbox,
        family: TokenFamily? = nil, instance: String = "", expires: Int64? = nil
    ) throws -> DeviceToken {
        try registries.devices.register(
            device,
            RegistrationRequest(
                topic: topic, environment: environment, family: family, instance: instance,
                expiresAtMilliseconds: expires),
            at: now, using: &generator
        ).token
    }

    /// A phone with one app.
    mutating func addApp() throws -> (device: DeviceID, token: DeviceToken) {
        let device = try addPhone()
        return (device, try register(device))
    }

    func verdict(
        _ token: DeviceToken, _ topic: Topic = World.topic, _ environment: Environment = .sandbox
    ) -> TokenVerdict {
        registries.devices.verdict(for: token, topic: topic, environment: environment, nowMilliseconds: now)
    }

    func isAccepted(_ token: DeviceToken) -> Bool {
        if case .accepted = verdict(token) { true } else { false }
    }

    mutating func notification(
        _ token: DeviceToken, priority: Priority = .high, expiration: Expiration = .unspecified,
        pushType: PushType? = .alert, collapseID: String? = nil, payload: String = "{}"
    ) -> DeliverableNotification {
        requestCount += 1
        return DeliverableNotification(
            id: NotificationID(high: 0xaaaa, low: requestCount),
            uniqueID: NotificationID(high: 0xbbbb, low: requestCount),
            token: token, topic: World.topic, pushType: pushType, priority: priority, expiration: expiration,
            collapseID: collapseID.flatMap { try? CollapseID($0) }, payload: Array(payload.utf8),
            receivedAtMilliseconds: now, environment: .sandbox)
    }

    mutating func push(
        _ token: DeviceToken, priority: Priority = .high, expiration: Expiration = .unspecified,
        pushType: PushType? = .alert, collapseID: String? = nil, payload: String = "{}"
    ) -> Decision {
        let notification = notification(
            token, priority: priority, expiration: expiration, pushType: pushType, collapseID: collapseID,
            payload: payload)
        return registries.devices.accept(notification, at: now)
    }

    /// The identifier of the n-th push, counted from 1.
    func id(_ number: UInt64) -> NotificationID { NotificationID(high: 0xaaaa, low: number) }

    mutating func setOnline(_ device: DeviceID, _ isOnline: Bool) throws {
        try registries.devices.setOnline(device, isOnline, at: now)
        if isOnline { registries.deliverStoredBroadcasts(to: device, at: now) }
    }

    mutating func wait(_ milliseconds: Int64) {
        now += milliseconds
        registries.devices.advance(to: now)
    }

    /// The identifiers of what a device received, in order.
    func received(_ device: DeviceID) -> [NotificationID] {
        registries.devices.contents.deliveries.filter { $0.device == device }.map(\.delivery.notification.id)
    }

    func seconds(after milliseconds: Int64) -> Expiration {
        .at(secondsSince1970: (now + milliseconds) / 1_000)
    }
}

/// SplitMix64: a seeded generator.
struct SplitMix: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var value = state
        value = (value ^ value >> 30) &* 0xbf58_476d_1ce4_e5b9
        value = (value ^ value >> 27) &* 0x94d0_49bb_1331_11eb
        return value ^ value >> 31
    }
}
