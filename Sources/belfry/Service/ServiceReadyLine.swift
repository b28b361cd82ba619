/// The one line by which a push service says that it accepts connections, and on what it works: a setting that is
/// missing or misspelt would give it an empty database.
struct ServiceReadyLine: Encodable, Sendable {
    var api: String
    var console: String
    /// The file, or the hosts and the name of the database.
    var store: String

    init(host: String, port: UInt16, store: String) {
        let name =
            host.contains(":") ? "[\(host)]" : host == "127.0.0.1" || host == "0.0.0.0" ? "localhost" : host
        api = "http://\(name):\(port)"
        console = api + "/console"
        self.store = store
    }

    /// `ready api=… console=… store=…`.
    var text: String { "ready api=\(api) console=\(console) store=\(store)" }
}
