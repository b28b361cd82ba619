internal import APNs
internal import Dispatch
package import Transport

/// The gateway's control interface: HTTP/1.1 and JSON, without a password, for loopback.
///
/// Errors are `{"error": "…"}`, with `"field"` where one field is wrong; the text names what was found and what is
/// allowed. A request is applied as a whole or not at all.
///
/// | request | does |
/// | --- | --- |
/// | `POST /devices` | adds a phone with one app: `topic`, `environment`, `name`, `family`, `instance`, `expires_at_ms`, `token_bytes`; `count` adds so many |
/// | `GET /devices` | lists phones: `topic`, `environment`, `online`, `limit`, `after` |
/// | `GET /devices/:id` | shows a phone |
/// | `PATCH /devices/:id` | `online`, `power_saving`, `enabled` (of one app with `topic`, `environment`), `name` |
/// | `DELETE /devices/:id` | deletes its apps (one with `topic`, `environment`); `forget=true` removes the phone |
/// | `GET /devices/:id/notifications` | what it received: `since`, `limit`, `visible` |
/// | `GET /devices/:id/stream` | the same as server-sent events: `link`, `since` |
/// | `POST /devices/:id/acknowledge` | `sequence`: the phone has everything up to this |
/// | `POST /devices/:id/registrations` | registers an app, one more perhaps; fields as for adding a phone |
/// | `DELETE /devices/:id/registrations/:token` | gives a token up |
/// | `POST /devices/:id/reinstall` | deletes and installs apps: `topic`, `environment` |
/// | `POST /devices/:id/restore` | restores its backup on a new phone: `name` |
/// | `POST /devices/:id/launch`, `/quit` | opens an app, or forces it to quit: `topic`, `environment` |
/// | `POST /devices/:id/subscriptions` | follows a channel: `token`, `channel` |
/// | `DELETE /devices/:id/subscriptions` | ends that: `token`, `channel` |
/// | `GET`, `PATCH /channels` | lists channels; switches broadcasts of an app on or off: `topic`, `environment`, `broadcasts` |
/// | `GET /requests` | the journal: `since`, `token`, `id`, `status`, `reason`, `limit` |
/// | `POST`, `GET`, `DELETE /faults` | sets, shows, removes faults |
/// | `GET`, `POST /keys` | shows, adds provider keys; makes one without `public_key` |
/// | `GET`, `POST /time` | shows the clock, puts it forward: `advance_ms` |
/// | `GET /metrics` | counters as Prometheus text |
/// | `GET /healthz` | 200, or 503 while the state cannot be saved |
package struct ControlAPI: Sendable {
    /// What the API acts on.
    package struct Parts: Sendable {
        /// The devices and channels.
        package var hub: DeviceHub
        /// The requests so far.
        package var journal: Journal
        /// The faults in force.
        package var faults: FaultInjector
        /// The keys of providers.
        package var keyring: GatewayKeyring
        /// Where the state is saved; nil when it is not.
        package var store: GatewayStore?
        /// More lines for the metrics, each with its line feed: connections, loops.
        package var metricsText: @Sendable () -> String

        /// Puts the parts together.
        package init(
            hub: DeviceHub, journal: Journal, faults: FaultInjector, keyring: GatewayKeyring,
            store: GatewayStore? = nil, metricsText: @escaping @Sendable () -> String = { "" }
        ) {
            self.hub = hub
            self.journal = journal
            self.faults = faults
            self.keyring = keyring
            self.store = store
            self.metricsText = metricsText
        }
    }

    let parts: Parts
    private let guardian: RequestGuard
    private let router: Router

    var hub: DeviceHub { parts.hub }

    /// Makes the API.
    ///
    /// - Parameters:
    ///   - parts: What it acts on.
    ///   - isLoopback: Whether it listens on loopback, where requests for other host names are refused.
    package init(parts: Parts, isLoopback: Bool = true) {
        self.parts = parts
        guardian = RequestGuard(checksHost: isLoopback)
        router = Router(ControlAPI.routes(parts))
    }

    /// Answers a request.
    package func respond(to request: HTTPRequest) async -> HTTPResponse {
        if let refusal = guardian.refusal(request) { return refusal }
        return await router.respond(to: request)
    }

    private static func routes(_ parts: Parts) -> [Transport.Route] {
        let devices = DeviceHandlers(hub: parts.hub)
        let apps = AppHandlers(hub: parts.hub)
        let streams = StreamHandlers(hub: parts.hub)
        let gateway = GatewayHandlers(parts: parts)
        return [
            route("POST", "/devices", devices.add),
            route("GET", "/devices", devices.list),
            route("GET", "/devices/:id", devices.show),
            route("PATCH", "/devices/:id", devices.change),
            route("DELETE", "/devices/:id", devices.uninstall),
            route("GET", "/devices/:id/notifications", streams.notifications),
            route("GET", "/devices/:id/stream", streams.stream),
            route("POST", "/devices/:id/acknowledge", streams.acknowledge),
            route("POST", "/devices/:id/registrations", apps.register),
            route("DELETE", "/devices/:id/registrations/:token", apps.unregister),
            route("POST", "/devices/:id/reinstall", apps.reinstall),
            route("POST", "/devices/:id/restore", apps.restore),
            route("POST", "/devices/:id/launch", apps.launch),
            route("POST", "/devices/:id/quit", apps.quit),
            route("POST", "/devices/:id/subscriptions", apps.subscribe),
            route("DELETE", "/devices/:id/subscriptions", apps.unsubscribe),
            route("GET", "/channels", gateway.channels),
            route("PATCH", "/channels", gateway.changeBroadcasts),
            route("GET", "/requests", gateway.requests),
            route("POST", "/faults", gateway.addFault),
            route("GET", "/faults", gateway.faults),
            route("DELETE", "/faults", gateway.removeFaults),
            route("GET", "/keys", gateway.keys),
            Transport.Route("POST", "/keys") { request, _ in
                // Adding a key writes a file.
                await onOwnThread { answer { () throws(GatewayError) in try gateway.addKey(request) } }
            },
            route("GET", "/time", gateway.time),
            route("POST", "/time", gateway.advance),
            route("GET", "/metrics", gateway.metrics),
            route("GET", "/healthz", gateway.health),
        ]
    }

    private typealias Handler = @Sendable (ControlRequest) throws(GatewayError) -> HTTPResponse

    private static func route(
        _ method: String, _ pattern: String, _ handler: @escaping Handler
    ) -> Transport.Route {
        Transport.Route(method, pattern) { request, parameters in
            answer { () throws(GatewayError) in
                try handler(ControlRequest(request: request, parameters: parameters))
            }
        }
    }

    private static func answer(_ body: () throws(GatewayError) -> HTTPResponse) -> HTTPResponse {
        do {
            return try body()
        } catch {
            return HTTPResponse(error)
        }
    }

    private static func onOwnThread(_ body: @escaping @Sendable () -> HTTPResponse) async -> HTTPResponse {
        await withCheckedContinuation { continuation in
            DispatchQueue.global(qos: .utility).async { continuation.resume(returning: body()) }
        }
    }
}
