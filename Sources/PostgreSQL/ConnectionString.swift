internal import CPostgreSQL

/// Where a database is and as whom it is used: a URI such as `postgres://user:password@host1,host2/name`.
///
/// Several hosts are tried in order until one takes changes, unless the URI asks for something else with
/// `target_session_attrs`: after a failover the next connection is one to the new primary (PostgreSQL: libpq,
/// connection strings). Neither ``description`` nor any error shows a password.
public struct ConnectionString: Sendable, Hashable, CustomStringConvertible {
    /// The parameters by their names in libpq, the password among them; never to be printed.
    let parameters: [String: String]

    /// How long one host may take to answer, in seconds.
    static let connectTimeoutSeconds = 5
    /// How long data may stay unacknowledged before the network counts as cut, in milliseconds.
    static let acknowledgeTimeoutMilliseconds = 10_000

    /// Reads a URI, or the `key=value` form.
    ///
    /// - Throws: `connectionString`, with a message that quotes nothing of the text.
    public init(_ text: String) throws(PostgreSQLError) {
        guard text.utf8.count <= 8_192, !text.utf8.contains(0) else {
            throw PostgreSQLError(
                code: .connectionString, message: "the connection string is longer than 8192 bytes")
        }
        var failure: UnsafeMutablePointer<CChar>?
        guard let options = PQconninfoParse(text, &failure) else {
            // libpq's message quotes the text around the mistake, which may be the password.
            PQfreemem(failure)
            throw PostgreSQLError(
                code: .connectionString,
                message: "the connection string cannot be read: postgres://USER:PASSWORD@HOST:PORT/NAME is "
                    + "allowed, several hosts with commas between them, with %XX for reserved characters")
        }
        defer { PQconninfoFree(options) }
        var parameters: [String: String] = [:]
        var option = options
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val {
                parameters[String(cString: keyword)] = String(cString: value)
            }
            option += 1
        }
        self.parameters = parameters
    }

    /// The same database with another value of one of libpq's parameters.
    public func setting(_ keyword: String, to value: String) -> ConnectionString {
        var parameters = parameters
        parameters[keyword] = value
        return ConnectionString(parameters: parameters)
    }

    private init(parameters: [String: String]) {
        self.parameters = parameters
    }

    /// What libpq is given: the parameters, and what this module wants where they say nothing.
    func completed(applicationName: String) -> [String: String] {
        var all = [
            "connect_timeout": "\(Self.connectTimeoutSeconds)", "target_session_attrs": "read-write",
            "application_name": applicationName, "keepalives": "1", "keepalives_idle": "10",
            "keepalives_interval": "3", "keepalives_count": "3",
            "tcp_user_timeout": "\(Self.acknowledgeTimeoutMilliseconds)",
        ]
        all.merge(parameters) { _, given in given }
        all["client_encoding"] = "UTF8"
        return all
    }

    /// The hosts and the name of the database, without user, password and options.
    public var description: String {
        let hosts = (parameters["host"] ?? parameters["hostaddr"] ?? "").split(
            separator: ",", omittingEmptySubsequences: false)
        let ports = (parameters["port"] ?? "").split(separator: ",", omittingEmptySubsequences: false)
        let places = hosts.enumerated().map { index, host in
            let port = ports.count == 1 ? ports[0] : index < ports.count ? ports[index] : ""
            return host.hasPrefix("/") || port.isEmpty ? String(host) : "\(host):\(port)"
        }
        return "postgres://\(places.joined(separator: ","))/\(parameters["dbname"] ?? "")"
    }
}
