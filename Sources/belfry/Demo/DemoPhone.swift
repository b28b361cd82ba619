internal import APNs
internal import APNsGateway

/// A phone of the demo's gateway, in the same process.
struct DemoPhone: Sendable {
    let name: String
    let id: DeviceID
    let token: DeviceToken
    private let gateway: Gateway

    /// Adds a phone, which installs an app and registers it.
    init(_ name: String, topic: Topic, in gateway: Gateway) throws(GatewayError) {
        self.name = name
        self.gateway = gateway
        (id, token) = try gateway.hub.withRegistries { registries, random, now throws(GatewayError) in
            let id = try registries.devices.addDevice(name: name, at: now, using: &random)
            let request = RegistrationRequest(topic: topic, environment: .production)
            return (id, try registries.devices.register(id, request, at: now, using: &random).token)
        }
    }

    func setOnline(_ isOnline: Bool) throws(GatewayError) {
        try gateway.hub.withRegistries { registries, _, now throws(GatewayError) in
            try registries.devices.setOnline(id, isOnline, at: now)
        }
    }

    /// Titles of everything it received, oldest first.
    var received: [String] {
        let deliveries = gateway.hub.read { $0.devices.deliveries(id, after: 0, countMax: 100).deliveries }
        return deliveries.map { delivery in
            guard let payload = try? Payload(parsing: delivery.notification.payload),
                case .content(let content) = payload.alert
            else { return "?" }
            return content.title ?? "?"
        }
    }
}
