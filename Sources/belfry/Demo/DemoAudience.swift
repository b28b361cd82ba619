#if canImport(VirtualPhone)
internal import APNs
internal import APNsGateway
internal import PushStore
internal import Recurrence

/// The installations a demo begins with: a few thousand people over many zones and languages, each with a device that the
/// gateway knows.
struct DemoAudience: Sendable {
    static let personCount = 3_000
    /// How many rows are stored at once.
    private static let chunkCount = 500

    /// Where people live: zone, language, share of all in percent.
    private static let places: [(zone: String, language: String, percent: Int)] = [
        ("Asia/Shanghai", "zh-Hans-CN", 30), ("Asia/Taipei", "zh-Hant-TW", 6), ("Asia/Tokyo", "ja-JP", 8),
        ("Asia/Kolkata", "en-IN", 8), ("Europe/Berlin", "de-DE", 8), ("Europe/Paris", "fr-FR", 6),
        ("Europe/London", "en-GB", 7), ("America/New_York", "en-US", 11), ("America/Los_Angeles", "en-US", 7),
        ("America/Sao_Paulo", "pt-BR", 5), ("Australia/Sydney", "en-AU", 4),
    ]
    private static let channels = ["news", "sports", "finance", "culture"]

    private var random: SplitMix

    /// Makes an audience that is the same for the same seed.
    init(seed: UInt64) { random = SplitMix(state: seed) }

    /// Registers the people's devices with a gateway and stores their installations.
    mutating func seed(
        _ gateway: Gateway, _ store: any Store, app: App, now: Instant
    ) async throws {
        let topic = try Topic(app.topic)
        var rows: [ImportedInstallation] = []
        for number in 0..<Self.personCount {
            let environment: Environment = random.percent(4) ? .sandbox : .production
            let token = try register("Person \(number + 1)", topic, environment, in: gateway)
            rows.append(ImportedInstallation(fields: person(number, token, environment, app: app, now: now)))
            if rows.count == Self.chunkCount {
                _ = try await store.importInstallations(rows, app: app.number, now: now)
                rows = []
            }
        }
        _ = try await store.importInstallations(rows, app: app.number, now: now)
    }

    private mutating func register(
        _ name: String, _ topic: Topic, _ environment: Environment, in gateway: Gateway
    ) throws(GatewayError) -> DeviceToken {
        let hasDeletedApp = random.percent(3)
        return try gateway.hub.withRegistries { registries, gatewayRandom, at throws(GatewayError) in
            let device = try registries.devices.addDevice(name: name, at: at, using: &gatewayRandom)
            let request = RegistrationRequest(topic: topic, environment: environment)
            let token = try registries.devices.register(device, request, at: at, using: &gatewayRandom).token
            if hasDeletedApp { try registries.devices.uninstall(device, app: nil, at: at) }
            return token
        }
    }

    private mutating func person(
        _ number: Int, _ token: DeviceToken, _ environment: Environment, app: App, now: Instant
    ) -> [String: JSONValue] {
        let place = place()
        let created = now.advanced(bySeconds: -random.below(300) * 86_400 - random.below(86_400))
        let updated = max(created, now.advanced(bySeconds: -random.below(40) * 86_400 - random.below(86_400)))
        let chosen = Self.channels.filter { _ in random.percent(45) }
        return [
            "objectId": .string(Self.objectID(number)), "createdAt": .string(created.iso8601),
            "updatedAt": .string(updated.iso8601), "deviceType": "ios",
            "deviceToken": .string(token.hexString),
            "apnsTopic": .string(app.topic), "environment": .string(environment.rawValue),
            "timeZone": .string(place.zone), "localeIdentifier": .string(place.language),
            "channels": .array(chosen.map(JSONValue.string)), "badge": 0,
            "valid": .bool(!random.percent(2)),
            "appVersion": .string(random.percent(70) ? "2.4" : "2.3"),
            "plan": .string(random.percent(20) ? "plus" : "free"),
            "readCount": .integer(random.below(400)),
        ]
    }

    private mutating func place() -> (zone: String, language: String, percent: Int) {
        var left = Int(random.below(100))
        for place in Self.places {
            left -= place.percent
            if left < 0 { return place }
        }
        return Self.places[0]
    }

    /// 24 digits that no real export has: people of a demo are told apart at a glance.
    static func objectID(_ number: Int) -> String {
        let digits = String(number, radix: 16)
        return "de30" + String(repeating: "0", count: 20 - digits.count) + digits
    }

    /// A small generator whose numbers repeat.
    private struct SplitMix {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9e37_79b9_7f4a_7c15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
            return mixed ^ (mixed >> 31)
        }

        mutating func below(_ limit: Int64) -> Int64 { Int64(next() % UInt64(limit)) }

        mutating func percent(_ share: Int64) -> Bool { below(100) < share }
    }
}
#endif
