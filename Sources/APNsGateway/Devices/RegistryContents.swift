package import APNs

/// Everything a registry remembers over a restart, as flat rows.
package struct RegistryContents: Hashable, Sendable {
    /// The phones.
    package var devices: [DeviceRow] = []
    /// The apps on them.
    package var apps: [AppRow] = []
    /// Their tokens.
    package var tokens: [TokenRow] = []
    /// What they received.
    package var deliveries: [DeliveryRow] = []

    /// Makes empty contents.
    package init() {}

    /// A phone.
    package struct DeviceRow: Hashable, Sendable {
        package var id: DeviceID
        package var name: String
        package var isOnline: Bool
        package var isPowerSaving: Bool
        package var isLinked: Bool
        package var createdAtMilliseconds: Int64
        package var nextSequence: Int64
        package var acknowledgedSequence: Int64
    }

    /// An app on a phone; bundle identifier and environment tell it apart.
    package struct AppRow: Hashable, Sendable {
        package var device: DeviceID
        package var bundleID: String
        package var environment: Environment
        package var isInstalled: Bool
        package var isEnabled: Bool
        package var stored: WaitingNotification?
        package var held: WaitingNotification?
    }

    /// A token.
    package struct TokenRow: Hashable, Sendable {
        package var token: DeviceToken
        package var device: DeviceID
        package var topic: Topic
        package var environment: Environment
        package var family: TokenFamily
        package var instance: String
        package var state: TokenState
        package var isReturnable: Bool
        package var expiresAtMilliseconds: Int64?
        package var registeredAtMilliseconds: Int64
        package var probeUntilMilliseconds: Int64
    }

    /// A delivery to a phone.
    package struct DeliveryRow: Hashable, Sendable {
        package var device: DeviceID
        package var delivery: Delivery
    }
}

/// What has to be written to make saved contents equal to a registry's.
package struct RegistryChanges: Sendable {
    /// Rows that are new or differ.
    package var updated = RegistryContents()
    /// Devices that are gone with everything that belongs to them.
    package var deletedDevices: [DeviceID] = []
    /// Tokens that are gone.
    package var deletedTokens: [DeviceToken] = []
    /// Devices whose deliveries before a sequence are gone.
    package var firstSequences: [(device: DeviceID, sequence: Int64)] = []

    /// Whether there is nothing to write.
    package var isEmpty: Bool {
        updated.devices.isEmpty && updated.apps.isEmpty && updated.tokens.isEmpty
            && updated.deliveries.isEmpty && deletedDevices.isEmpty && deletedTokens.isEmpty
            && firstSequences.isEmpty
    }
}
