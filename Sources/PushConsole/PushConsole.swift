internal import Crypto
public import PushService
public import PushStore
public import Recurrence
internal import Synchronization
public import Transport

/// The console of the push service in the browser, below `/console`.
///
/// Pages are made on the server and work without scripts, but for what is live: counts, charts, progress. Everything
/// goes through the same operations as the REST API. Safe from any task.
public final class PushConsole: Sendable {
    /// What the console may use beside the service.
    public struct Configuration: Sendable {
        /// Asks APNs about credentials; nil stores them unasked.
        public var probe: CredentialProbe?
        /// The control interface of a gateway, such as `http://localhost:8079`; nil without one.
        public var gatewayControl: String?
        /// More places in the navigation.
        public var navigation: [NavigationItem]
        /// The time by which people stay signed in; nil for the console's own.
        ///
        /// A service whose clock is moved on for a demonstration does not sign everybody out with it.
        public var signInTime: (@Sendable () -> Instant)?

        /// Makes a configuration.
        public init(
            probe: CredentialProbe? = nil, gatewayControl: String? = nil, navigation: [NavigationItem] = [],
            signInTime: (@Sendable () -> Instant)? = nil
        ) {
            self.probe = probe
            self.gatewayControl = gatewayControl
            self.navigation = navigation
            self.signInTime = signInTime
        }
    }

    let console: Console
    private let router: Router

    /// Makes a console.
    ///
    /// - Parameters:
    ///   - api: the service's API, whose operations it uses.
    ///   - store: what the API answers from.
    ///   - now: the time.
    ///   - configuration: what it may use beside.
    public init(
        api: PushAPI, store: any Store, now: @escaping @Sendable () -> Instant,
        configuration: Configuration = Configuration()
    ) {
        let console = Console(api: api, store: store, now: now, configuration: configuration)
        self.console = console
        router = Router(
            ConsoleRoutes.all.map { route in
                Route(route.method, "/console" + route.pattern) { request, parameters in
                    await console.respond(to: request, parameters, by: route)
                }
            } + [
                Route("GET", "/console/files/:name") { _, parameters in
                    ConsoleFiles.response(parameters["name"]) ?? .error(404, "there is no such file")
                }
            ])
    }

    /// Keeps live views fresh until the task is cancelled.
    public func run() async {
        await console.watch.run()
    }

    /// Whether a request is the console's.
    public static func isConsole(_ request: HTTPRequest) -> Bool {
        request.pathSegments.first == "console"
    }

    /// Answers a request.
    public func respond(to request: HTTPRequest) async -> HTTPResponse {
        var request = request
        // A slash at the end changes nothing.
        if request.pathSegments.last == "", request.pathSegments.count > 1 {
            request.pathSegments.removeLast()
        }
        return await router.respond(to: request)
    }

    /// Where the first user is made, below the server's address; nil when there is one.
    public func setUpPath() async -> String? {
        guard let users = try? await console.store.consoleUsers(), users.isEmpty else { return nil }
        return Link("set-up", query: [("secret", console.setUpSecret)]).text
    }
}
