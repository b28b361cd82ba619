package import APNs

/// The simulated phones, their apps and tokens, and what APNs stores for them.
///
/// A value without clock and without randomness of its own: time is a parameter in milliseconds since 1970, and
/// random generators are passed in. Events go in as method calls; what follows comes back as a ``Decision`` and, for
/// pushes that had waited, through ``takeOutcomes()``. ``DeviceHub`` puts a lock around it.
///
/// The way of one push, as in Apple's "Viewing the status of push notifications":
///
/// ```
/// accept ──▶ token dead or app disabled? ──▶ discarded
///   │
///   ├──▶ device online, power allows, not busy ──▶ delivered
///   │
///   └──▶ storable? ──no──▶ discarded
///           └──yes──▶ stored, one per device and app ──online / power lifted / acknowledged──▶ delivered
///                        └──newer push──▶ replaced      └──expiry──▶ discarded
/// ```
package struct DeviceRegistry: Sendable, TokenDirectory {
    /// The rules and limits.
    package let policy: DevicePolicy

    var tokens: [DeviceToken: Int32] = [:]
    var registrations: [Registration] = []
    var vacantRegistrations: [Int32] = []
    /// Every device by slot; nil where one was forgotten.
    var devices: [Device] = []
    var vacantDevices: [Int32] = []
    var deviceSlots: [DeviceID: Int32] = [:]
    var deadlines = DeadlineQueue()
    /// All kept deliveries, oldest first; entries of forgotten devices are skipped.
    var recentDeliveries = Deque<(device: DeviceID, sequence: Int64)>()

    /// Whether changes are collected for a store.
    package var collectsChanges = false
    var dirtyDevices: [Int32] = []
    var dirtyRegistrations: [Int32] = []
    var deletedDevices: [DeviceID] = []
    var deletedTokens: [DeviceToken] = []

    var outcomes: [LateOutcome] = []
    /// Watched devices with new deliveries.
    var rungDevices: [DeviceID] = []

    /// Makes a registry without devices.
    package init(policy: DevicePolicy = DevicePolicy()) {
        self.policy = policy
    }

    /// The number of devices.
    package var deviceCount: Int { deviceSlots.count }
    /// The number of tokens, dead ones included.
    package var tokenCount: Int { tokens.count }

    /// Judges a token for a push that is correct in every other way; one look-up, no allocation.
    package func verdict(
        for token: DeviceToken, topic: Topic, environment: Environment, nowMilliseconds: Int64
    ) -> TokenVerdict {
        guard !tokens.isEmpty, let slot = tokens[token] else { return .unknown }
        return registrations[Int(slot)].verdict(
            topic: topic, environment: environment, policy: policy, slot: slot, at: nowMilliseconds)
    }

    /// The registration an accepted push is for: by the number of its verdict, or else by its token.
    func registrationSlot(_ number: Int64?, _ token: DeviceToken) -> Int? {
        if let number {
            let slot = Int(number & 0xffff_ffff)
            if slot < registrations.count,
                registrations[slot].generation == UInt32(truncatingIfNeeded: number >> 32),
                !registrations[slot].isVacant
            {
                return slot
            }
        }
        guard !tokens.isEmpty, let slot = tokens[token] else { return nil }
        return Int(slot)
    }

    func deviceSlot(_ id: DeviceID) throws(GatewayError) -> Int {
        guard let slot = deviceSlots[id] else {
            throw GatewayError(code: .deviceNotFound, message: "there is no device \(id)")
        }
        return Int(slot)
    }

    /// What became of pushes that had been stored or held, since the last call.
    package mutating func takeOutcomes() -> [LateOutcome] {
        guard !outcomes.isEmpty else { return [] }
        defer { outcomes.removeAll(keepingCapacity: true) }
        return outcomes
    }

    /// Watched devices that received something since the last call, each once or more.
    package mutating func takeRungDevices() -> [DeviceID] {
        guard !rungDevices.isEmpty else { return [] }
        defer { rungDevices.removeAll(keepingCapacity: true) }
        return rungDevices
    }
}
