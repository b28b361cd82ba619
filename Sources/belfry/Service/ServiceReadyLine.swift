/// The one line by which a push service says that it accepts connections.
struct ServiceReadyLine: Encodable, Sendable {
    var api: String
    var console: String

    init(host: String, port: UInt16) {
        let name =
            host.contains(":") ? "[\(host)]" : host == "127.0.0.1" || host == "0.0.0.0" ? "localhost" : host
        api = "http://\(name):\(port)"
        console = api + "/console"
    }

    /// `ready api=… console=…`.
    var text: String { "ready api=\(api) console=\(console)" }
}
