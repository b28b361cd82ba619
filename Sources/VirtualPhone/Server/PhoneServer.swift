internal import Transport

/// Serves ``PhoneAPI`` and ``PhonePage`` on a port of the loopback address.
public final class PhoneServer: Sendable {
    /// The phones that are shown.
    public let phones: PhoneAPI
    private let server: HTTPServer

    /// Makes a server that does not listen yet.
    ///
    /// - Parameters:
    ///   - port: 0 takes a free one.
    ///   - phones: the phones that it serves.
    public init(port: UInt16 = 0, phones: PhoneAPI = PhoneAPI()) {
        self.phones = phones
        var configuration = HTTPServer.Configuration(port: port)
        // Moving a clock by months may take some seconds.
        configuration.handlerTimeout = .seconds(120)
        server = HTTPServer(configuration: configuration) { request in
            PhonePage.owns(path: request.path)
                ? PhonePage.respond(to: request) : await phones.respond(to: request)
        }
    }

    /// Listens.
    ///
    /// - Throws: `link` when the port is taken.
    public func start() throws(PhoneError) {
        do {
            try server.start()
        } catch {
            throw PhoneError(.link, error.message)
        }
    }

    /// Where it listens; port 0 before it does.
    public var url: String { "http://localhost:\(server.port)" }

    /// Ends streams and running actions.
    public func stop() async { await server.stop(deadline: .seconds(2)) }
}
