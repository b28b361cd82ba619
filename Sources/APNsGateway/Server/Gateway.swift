internal import APNs
internal import Crypto
internal import Dispatch
internal import Synchronization
internal import Transport

/// A simulator of APNs: the production and the sandbox service, a registry of devices, and a control
/// interface.
///
/// It listens on loopback, takes any client that speaks APNs' protocol, and answers as Apple documents.
/// Callable from any thread.
public final class Gateway: Sendable {
    /// Where a running gateway is reached and what a client needs.
    public struct Addresses: Sendable, Hashable {
        /// The production service's URL; nil when it is left out.
        public var production: String?
        /// The sandbox's URL; nil when it is left out.
        public var sandbox: String?
        /// The control interface's URL.
        public var control: String
        /// The path of the certificate authority that clients have to trust, in PEM.
        public var authorityPath: String
        /// The path of the signing key, a `.p8` file.
        public var signingKeyPath: String
        /// The signing key's id.
        public var keyID: String
        /// The team of the signing key.
        public var teamID: String
    }

    /// Where the gateway is reached.
    public let addresses: Addresses

    /// Devices and channels, for what runs in the same process.
    package let hub: DeviceHub
    /// The requests so far.
    package let journal: Journal
    /// The faults in force.
    package let faults: FaultInjector
    /// The files of the data folder.
    package let identity: GatewayIdentity

    private let configuration: GatewayConfiguration
    private let store: GatewayStore
    private let loops: EventLoopGroup
    private let servers: [HTTP2Server]
    private let control: HTTPServer
    private let isStopped = Atomic<Bool>(false)

    /// Starts a gateway: reads or makes its folder, opens its ports.
    ///
    /// - Throws: a ``GatewayError`` that names the file or port that cannot be used.
    public static func start(_ configuration: GatewayConfiguration) async throws(GatewayError) -> Gateway {
        let clock: any GatewayClock =
            configuration.hasVirtualClock ? VirtualGatewayClock() : SystemGatewayClock()
        let identity = try await onOwnThread { () throws(GatewayError) in
            try GatewayIdentity(
                folder: DataFolder(path: configuration.folder), hostNames: configuration.hostNames,
                now: clock.nowMilliseconds / 1000)
        }
        let store = try await GatewayStore.open(folder: configuration.folder)
        do throws(GatewayError) {
            return try await Gateway(
                configuration: configuration, clock: clock, identity: identity, store: store,
                registries: try await store.load(policy: configuration.devicePolicy))
        } catch {
            await store.close()
            identity.folder.release()
            throw error
        }
    }

    private init(
        configuration: GatewayConfiguration, clock: any GatewayClock, identity: GatewayIdentity,
        store: GatewayStore, registries: Registries
    ) async throws(GatewayError) {
        self.configuration = configuration
        self.identity = identity
        self.store = store
        journal = Journal(capacity: configuration.journalCapacity)
        let seed = configuration.seed ?? UInt64.random(in: .min ... .max)
        faults = FaultInjector(seed: seed)
        hub = DeviceHub(
            registries: registries, clock: clock, random: GatewayRandom(seed: configuration.seed),
            journal: journal, store: store)
        let verifier = ProviderTokenVerifier(
            isOpen: configuration.isOpen, policy: configuration.policy.providerTokens,
            aheadSeconds: { clock.aheadMilliseconds / 1000 })
        let keyring = GatewayKeyring(identity: identity, verifier: verifier)
        let state = GatewayState(
            policy: configuration.policy, verifier: verifier, faults: faults, journal: journal, hub: hub,
            seed: seed)
        let loops = EventLoopGroup(count: configuration.threadCount, name: "gateway")
        self.loops = loops

        var servers: [HTTP2Server] = []
        var urls: [Environment: String] = [:]
        do throws(GatewayError) {
            let tls = try Self.context(identity)
            for (environment, port) in [
                (Environment.production, configuration.productionPort),
                (.sandbox, configuration.sandboxPort),
            ] {
                guard let port else { continue }
                let server = HTTP2Server(
                    loops: loops, tls: tls, configuration: Self.connectionConfiguration,
                    connectionCountMax: configuration.connectionCountMax,
                    makeHandler: { _ in GatewayConnection(state: state, environment: environment) })
                let bound = try await Self.listen(server, configuration.host, port, environment)
                servers.append(server)
                urls[environment] = "https://\(Self.urlHost(configuration.host)):\(bound)"
            }
            self.servers = servers
            let counted = servers
            let parts = ControlAPI.Parts(
                hub: hub, journal: journal, faults: faults, keyring: keyring, store: store,
                metricsText: { Self.metrics(counted) })
            let api = ControlAPI(parts: parts, isLoopback: Self.isLoopback(configuration.host))
            control = HTTPServer(
                configuration: .init(host: configuration.host, port: configuration.controlPort),
                handler: { await api.respond(to: $0) })
            do throws(TransportError) {
                try control.start()
            } catch {
                throw GatewayError(
                    code: .unavailable,
                    message: "control interface on port \(configuration.controlPort): \(error.message)")
            }
        } catch {
            loops.shutdown()
            throw error
        }
        addresses = Addresses(
            production: urls[.production], sandbox: urls[.sandbox],
            control: "http://\(Self.urlHost(configuration.host)):\(control.port)",
            authorityPath: identity.authorityPath, signingKeyPath: identity.signingKeyPath,
            keyID: identity.settings.keyID, teamID: identity.settings.teamID)
        watchDeadlines()
    }

    /// Stops in order: providers get GOAWAY with the reason Shutdown and the answers they are owed.
    ///
    /// The state is saved last. Callable more than once.
    ///
    /// - Parameter deadline: after which connections that are still open are cut.
    public func stop(deadline: Duration = .seconds(10)) async {
        guard !isStopped.exchange(true, ordering: .acquiringAndReleasing) else { return }
        await withDiscardingTaskGroup { group in
            for server in servers {
                group.addTask {
                    await server.shutdown(deadline: deadline) { connection in
                        (connection.handler as? GatewayConnection)?.drain(connection)
                    }
                }
            }
            group.addTask { [hub, control] in
                hub.closeStreams()
                await control.stop(deadline: deadline)
            }
        }
        hub.setDeadlineHandler(nil)
        loops.shutdown()
        await store.close()
        identity.folder.release()
    }

    // MARK: Parts

    /// What a client sees of the HTTP/2 layer; APNs has been seen to send a PING to idle connections about
    /// once an hour, which is the gateway policy's business, not the transport's.
    private static let connectionConfiguration = HTTP2ConnectionConfiguration(
        settings: HTTP2Settings(), handshakeTimeout: .seconds(10), requestTimeout: .seconds(30),
        pingAfterSilence: nil)

    private static func context(_ identity: GatewayIdentity) throws(GatewayError) -> TLSContext {
        do {
            return try TLSContext.server(
                identity: identity.server,
                clientCertificates: .requested(issuedBy: [identity.authority.certificate]),
                applicationProtocols: ["h2"])
        } catch {
            throw GatewayError(code: .identity, message: error.message)
        }
    }

    private static func listen(
        _ server: HTTP2Server, _ host: String, _ port: Int, _ environment: Environment
    ) async throws(GatewayError) -> Int {
        do {
            return try await server.listen(host: host, port: port)
        } catch {
            throw GatewayError(
                code: .unavailable, message: "\(environment.rawValue) on port \(port): \(error.message)")
        }
    }

    /// The name clients use: the certificate is for localhost, whichever loopback address is bound.
    private static func urlHost(_ host: String) -> String {
        if isLoopback(host) || host == "0.0.0.0" || host == "::" { return "localhost" }
        return host.contains(":") ? "[\(host)]" : host
    }

    private static func isLoopback(_ host: String) -> Bool {
        host.hasPrefix("127.") || host == "::1" || host == "localhost"
    }

    private static func metrics(_ servers: [HTTP2Server]) -> String {
        let count = servers.reduce(0) { $0 + $1.connectionCount }
        return """
            # HELP apns_gateway_connections Connections of providers that are open.
            # TYPE apns_gateway_connections gauge
            apns_gateway_connections \(count)

            """
    }

    private static func onOwnThread<Success: Sendable>(
        _ body: @escaping @Sendable () throws(GatewayError) -> Success
    ) async throws(GatewayError) -> Success {
        let result: Result<Success, GatewayError> = await withCheckedContinuation { continuation in
            DispatchQueue.global(qos: .utility).async {
                do throws(GatewayError) {
                    continuation.resume(returning: .success(try body()))
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
        }
        return try result.get()
    }

    // MARK: Deadlines

    /// Keeps a timer on the first loop set to the registry's next deadline.
    private func watchDeadlines() {
        let loop = loops.loops[0]
        let alarm = LoopBound<EventLoopTimer>(loop: loop)
        let hub = hub
        hub.setDeadlineHandler {
            loop.execute {
                alarm.value?.cancel()
                alarm.value = nil
                guard let deadline = hub.nextDeadline else { return }
                // A virtual clock may leap, so the alarm never sleeps for long.
                let wait = min(max(deadline - hub.clock.nowMilliseconds, 0), 60_000)
                alarm.value = loop.schedule(after: .milliseconds(wait)) { hub.advance() }
            }
        }
    }
}
