/// The one line by which a push service says that it accepts connections.
struct ServeReadyLine: Encodable, Sendable {
    var api: String
    var console: String

    /// - Parameters:
    ///   - host: the address that is listened on; one that stands for all is shown as `localhost`.
    ///   - port: the port.
    init(host: String, port: UInt16) {
        let name =
            switch host {
            case "127.0.0.1", "0.0.0.0", "::", "::1": "localhost"
            default: host.contains(":") ? "[\(host)]" : host
            }
        api = "http://\(name):\(port)"
        console = api + "/console"
    }

    /// `ready api=… console=…`.
    var text: String { "ready api=\(api) console=\(console)" }
}
