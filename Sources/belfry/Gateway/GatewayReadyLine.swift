internal import APNsGateway

/// The one line by which a gateway says that it accepts connections.
struct GatewayReadyLine: Encodable, Sendable {
    var apns: String?
    var sandbox: String?
    var control: String
    var ca: String
    var key: String
    var key_id: String
    var team_id: String

    init(_ addresses: Gateway.Addresses) {
        apns = addresses.production
        sandbox = addresses.sandbox
        control = addresses.control
        ca = addresses.authorityPath
        key = addresses.signingKeyPath
        key_id = addresses.keyID
        team_id = addresses.teamID
    }

    /// `ready apns=… sandbox=… control=…`; a value with blanks is quoted as in a log line.
    var text: String {
        let fields = [
            ("apns", apns), ("sandbox", sandbox), ("control", control), ("ca", ca), ("key", key),
            ("key_id", key_id), ("team_id", team_id),
        ]
        let pairs = fields.compactMap { name, value in value.map { "\(name)=\($0.logText)" } }
        return "ready " + pairs.joined(separator: " ")
    }
}
