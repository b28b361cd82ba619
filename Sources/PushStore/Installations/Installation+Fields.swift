public import APNs
internal import Recurrence

/// Names of the fields that LeanCloud gives a meaning.
enum InstallationKey {
    static let objectID = "objectId"
    static let createdAt = "createdAt"
    static let updatedAt = "updatedAt"
    static let deviceType = "deviceType"
    static let deviceToken = "deviceToken"
    static let installationID = "installationId"
    static let apnsTopic = "apnsTopic"
    static let apnsTeamID = "apnsTeamId"
    static let deviceProfile = "deviceProfile"
    static let timeZone = "timeZone"
    static let badge = "badge"
    static let channels = "channels"
    static let valid = "valid"
    static let environment = "environment"

    /// What SDKs send beside an object's fields.
    static let ignored: Set<String> = ["__internalId", "__children", "__type", "_method", "_ApplicationId"]
    /// What the service alone sets.
    static let readOnly: Set<String> = [createdAt, updatedAt]
    /// Where the device's language is looked for, first one first.
    static let languages = ["localeIdentifier", "language"]
}

extension Installation {
    /// The longest text of a field with a meaning, in bytes of UTF-8.
    static let textByteCountMax = 1024

    /// The object as the REST API shows it; times as texts, what is unset left out.
    public var object: [String: JSONValue] {
        var object = attributes
        object[InstallationKey.objectID] = .string(objectID)
        object[InstallationKey.createdAt] = .string(createdAt.iso8601)
        object[InstallationKey.updatedAt] = .string(updatedAt.iso8601)
        object[InstallationKey.badge] = .integer(badge)
        if !channels.isEmpty { object[InstallationKey.channels] = .array(channels.map(JSONValue.string)) }
        object[InstallationKey.valid] = .bool(isValid)
        for key in Installation.textKeys {
            if let path = Installation.textPath(key), let text = self[keyPath: path] {
                object[key] = .string(text)
            }
        }
        if let environment { object[InstallationKey.environment] = .string(environment.rawValue) }
        return object
    }

    /// The value of a field that clients set; nil when it is unset.
    func field(_ key: String) -> JSONValue? {
        if let path = Installation.textPath(key) { return self[keyPath: path].map(JSONValue.string) }
        switch key {
        case InstallationKey.badge: return .integer(badge)
        case InstallationKey.channels: return .array(channels.map(JSONValue.string))
        case InstallationKey.valid: return .bool(isValid)
        case InstallationKey.environment: return environment.map { .string($0.rawValue) }
        default: return attributes[key]
        }
    }

    /// Sets a field that clients set; nil, and null for a field with a meaning, unsets it.
    ///
    /// - Throws: code 111 for the wrong type, 112 for a channel, and what ``ObjectValue/check(_:key:depth:)`` throws.
    mutating func setField(_ key: String, to value: JSONValue?) throws(ChangeError) {
        if let path = Installation.textPath(key) {
            self[keyPath: path] = try Installation.text(value, key)
            return
        }
        switch key {
        case InstallationKey.badge: badge = try Installation.badge(value)
        case InstallationKey.channels: channels = try Installation.channels(value)
        case InstallationKey.valid:
            switch value {
            case nil, .null?: isValid = true
            case .bool(let bool)?: isValid = bool
            case let value?: throw Installation.mismatch(key, value, "a Boolean")
            }
        case InstallationKey.environment: environment = try Installation.environment(value)
        default:
            if let value { try ObjectValue.check(value, key: key) }
            attributes[key] = value
        }
        if InstallationKey.languages.contains(key) { updateLocale() }
    }

    /// Takes the language from the attributes.
    mutating func updateLocale() {
        locale = nil
        for key in InstallationKey.languages {
            guard case .string(let text)? = attributes[key], !text.isEmpty, text.utf8.count <= 64 else {
                continue
            }
            locale = text
            return
        }
    }

    // MARK: - Values

    static let textKeys = [
        InstallationKey.deviceType, InstallationKey.deviceToken, InstallationKey.installationID,
        InstallationKey.apnsTopic, InstallationKey.apnsTeamID, InstallationKey.deviceProfile,
        InstallationKey.timeZone,
    ]

    private static func textPath(_ key: String) -> WritableKeyPath<Installation, String?>? {
        switch key {
        case InstallationKey.deviceType: \.deviceType
        case InstallationKey.deviceToken: \.deviceToken
        case InstallationKey.installationID: \.installationID
        case InstallationKey.apnsTopic: \.apnsTopic
        case InstallationKey.apnsTeamID: \.apnsTeamID
        case InstallationKey.deviceProfile: \.deviceProfile
        case InstallationKey.timeZone: \.timeZone
        default: nil
        }
    }

    /// The value of a field that is a text; an empty text means unset.
    static func text(_ value: JSONValue?, _ key: String) throws(ChangeError) -> String? {
        guard let value, value != .null else { return nil }
        guard case .string(let text) = value else { throw mismatch(key, value, "a string") }
        guard text.utf8.count <= textByteCountMax, !text.utf8.contains(0) else {
            throw ChangeError(
                code: 111, "\(key): at most \(textByteCountMax) bytes without U+0000 are allowed")
        }
        switch key {
        case InstallationKey.deviceToken: return text.isEmpty ? nil : token(text)
        case InstallationKey.deviceProfile:
            guard text.isEmpty || ObjectKey.isName(text) else {
                throw ChangeError(
                    code: 1,
                    "deviceProfile: \(ObjectKey.shown(text)) was found, allowed are letters, digits and '_', a "
                        + "letter first")
            }
        default: break
        }
        return text.isEmpty ? nil : text
    }

    /// A token in lower case; `<0a1b 2c3d>`, as old apps print the bytes, is taken for the digits in it.
    private static func token(_ text: String) -> String {
        let digits = text.utf8.filter { $0 != 0x3c && $0 != 0x3e && $0 != 0x20 }
        let isHexadecimal = digits.allSatisfy { byte in
            0x30...0x39 ~= byte || 0x41...0x46 ~= byte || 0x61...0x66 ~= byte
        }
        guard isHexadecimal, !digits.isEmpty else { return text.lowercased() }
        return String(decoding: digits, as: UTF8.self).lowercased()
    }

    private static func badge(_ value: JSONValue?) throws(ChangeError) -> Int64 {
        switch value {
        case nil, .null?: return 0
        case .integer(let badge)?:
            guard 0...Int64(Int32.max) ~= badge else {
                throw ChangeError(code: 111, "badge: \(badge) was found, 0 to \(Int32.max) are allowed")
            }
            return badge
        case let value?: throw mismatch(InstallationKey.badge, value, "an integer")
        }
    }

    private static func channels(_ value: JSONValue?) throws(ChangeError) -> [String] {
        guard let value, value != .null else { return [] }
        guard case .array(let elements) = value else {
            throw mismatch(InstallationKey.channels, value, "an array of strings")
        }
        var names: Set<String> = []
        for element in elements {
            guard case .string(let name) = element else {
                throw mismatch(InstallationKey.channels, element, "strings as elements")
            }
            try ChannelName.check(name)
            names.insert(name)
        }
        return names.sorted()
    }

    private static func environment(_ value: JSONValue?) throws(ChangeError) -> Environment? {
        switch value {
        case nil, .null?: return nil
        case "production"?: return .production
        // Apple's entitlement aps-environment says development for what APNs calls the sandbox.
        case "sandbox"?, "development"?: return .sandbox
        case .string(let text)?:
            throw ChangeError(
                code: 111,
                "environment: \(ObjectKey.shown(text)) was found, production, sandbox and development are allowed"
            )
        case let value?: throw mismatch(InstallationKey.environment, value, "a string")
        }
    }

    private static func mismatch(_ key: String, _ value: JSONValue, _ needed: String) -> ChangeError {
        ChangeError(code: 111, "\(key): \(value.kind) was found, \(needed) is needed")
    }
}
