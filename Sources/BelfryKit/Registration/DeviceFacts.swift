internal import Recurrence

/// What a registration says of the device and the app.
struct DeviceFacts: Hashable, Sendable, Codable {
    var topic: String
    var deviceType: String
    var timeZone: String
    var language: String?
    var version: String?
    var environment: PushEnvironment?
    /// What tells this device from one that a backup was restored to.
    var deviceIdentifier: String?

    init(_ surroundings: KitSurroundings) {
        let platform = surroundings.platform
        topic = platform.bundleIdentifier
        deviceType = platform.deviceType
        timeZone = surroundings.time.zone.name
        language = platform.language
        version = platform.applicationVersion
        environment = platform.pushEnvironment
        deviceIdentifier = platform.deviceIdentifier
    }

    /// Fields of the installation (LeanCloud: `_Installation`; `localeIdentifier`, `appVersion` and `environment` are
    /// the service's own).
    var fields: [String: PayloadValue] {
        var fields: [String: PayloadValue] = [
            "deviceType": .string(deviceType), "timeZone": .string(timeZone),
        ]
        if !topic.isEmpty { fields["apnsTopic"] = .string(topic) }
        if let language { fields["localeIdentifier"] = .string(language) }
        if let version { fields["appVersion"] = .string(version) }
        if let environment { fields["environment"] = .string(environment.rawValue) }
        return fields
    }
}
