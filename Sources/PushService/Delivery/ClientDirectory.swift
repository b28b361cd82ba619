public import APNs
public import APNsClient
public import PushStore
internal import Recurrence
internal import Synchronization
public import Transport

/// The connections to APNs: one client for each credential and environment, made when it is first needed.
///
/// Keys of one team share their provider token, so that APNs' rule about renewals holds over all of them.
/// Callable from any thread.
public final class ClientDirectory: Sendable {
    /// Where notifications go.
    public struct Endpoints: Sendable {
        /// For apps from the App Store, TestFlight and ad-hoc builds.
        public var production: Endpoint
        /// For apps run from Xcode.
        public var sandbox: Endpoint
        /// A proxy to tunnel through to both.
        public var proxy: HTTPProxy?

        /// Makes endpoints; Apple's, reached directly, unless given.
        public init(
            production: Endpoint = Endpoint(.production), sandbox: Endpoint = Endpoint(.sandbox),
            proxy: HTTPProxy? = nil
        ) {
            self.production = production
            self.sandbox = sandbox
            self.proxy = proxy
        }
    }

    /// What an installation and its push say about the credential to use.
    struct Need: Hashable, Sendable {
        var environment: Environment
        var teamID: String?
        var deviceProfile: String?
        var topic: String
    }

    /// The credentials of one app.
    private struct Shelf: Sendable {
        var revision: Int64
        var app: App
        var credentials: [PushCredential]
        /// Which credential serves a need; nil for none.
        var choices: [Need: Int64?] = [:]
    }

    private struct ClientKey: Hashable {
        var credential: Int64
        var environment: Environment
    }

    private struct State: Sendable {
        var shelves: [Int64: Shelf] = [:]
        /// Shared by the clients of both environments, and by apps of one team: a source renews its token once for all.
        var proofs: [PushCredential.Secret: Credential] = [:]
        /// The keys whose next token is being agreed on.
        var sharing: Set<PushCredential.Secret> = []
        var clients: [ClientKey: any NotificationClient] = [:]
        var broadcastClients: [ClientKey: BroadcastClient] = [:]
    }

    /// The most different needs that are remembered for an app.
    private static let choiceCountMax = 4096

    private let store: any Store
    private let maker: any ClientMaker
    private let clock: WallClock
    private let state = Mutex(State())

    /// Makes a directory.
    ///
    /// - Parameters:
    ///   - store: where credentials are.
    ///   - endpoints: where notifications go.
    ///   - loops: the threads all connections share.
    ///   - clock: what provider tokens are dated with.
    public convenience init(
        store: any Store, endpoints: Endpoints, loops: EventLoopGroup, clock: WallClock = .system
    ) {
        self.init(store: store, maker: NetworkClientMaker(endpoints: endpoints, loops: loops), clock: clock)
    }

    /// Makes a directory of clients that somebody else makes.
    package init(store: any Store, maker: any ClientMaker, clock: WallClock = .system) {
        self.clock = clock
        self.store = store
        self.maker = maker
    }

    /// The app with a number, its credentials read again if anything changed since they were last read.
    ///
    /// - Throws: `notFound` for an app that is gone.
    func refreshed(app: Int64) async throws(StoreError) -> App {
        let found = try await read(app: app)
        for (secret, source) in tokenSources(app: app) where source.isDue {
            // With a token at hand, one of the senders asks for the next; at first all of them wait for it.
            let isMine = state.withLock { $0.sharing.insert(secret).inserted }
            guard isMine || !source.hasToken else { continue }
            await ProviderTokenSharing(store: store).share(source, of: secret)
            if isMine { state.withLock { _ = $0.sharing.remove(secret) } }
        }
        return found
    }

    /// The id of an app that has been read; nil for others.
    func id(ofApp number: Int64) -> String? { state.withLock { $0.shelves[number]?.app.id } }

    /// What signs the tokens of an app's keys; a key that cannot be used is none.
    private func tokenSources(app: Int64) -> [(PushCredential.Secret, ProviderTokenSource)] {
        state.withLock { state in
            var sources: [(PushCredential.Secret, ProviderTokenSource)] = []
            for credential in state.shelves[app]?.credentials ?? [] {
                guard case .key = credential.secret else { continue }
                let known = state.proofs[credential.secret]
                let proof = known ?? (try? credential.clientCredential(clock: clock))
                guard let proof, case .token(let source) = proof else { continue }
                state.proofs[credential.secret] = proof
                sources.append((credential.secret, source))
            }
            return sources
        }
    }

    private func read(app: Int64) async throws(StoreError) -> App {
        let revision = try await store.administrationRevision()
        if let known = state.withLock({ $0.shelves[app] }), known.revision == revision { return known.app }
        guard let found = try await store.apps().first(where: { $0.number == app }) else {
            throw StoreError(.notFound, "app \(app) is gone")
        }
        let credentials = try await store.credentials(app: app)
        state.withLock { state in
            let former = state.shelves[app]?.credentials ?? []
            state.shelves[app] = Shelf(revision: revision, app: found, credentials: credentials)
            // A credential that is gone or was changed gets no further notifications.
            for old in former where !credentials.contains(where: { $0.isSame(as: old) }) {
                for environment in Environment.allCases {
                    let key = ClientKey(credential: old.number, environment: environment)
                    state.clients[key] = nil
                    state.broadcastClients[key] = nil
                }
            }
        }
        return found
    }

    /// Whether any credential of an app fits what a push itself asks for.
    ///
    /// What installations say does not count: each of them may be wrong, and none is to stop the push for others.
    func canServe(_ request: PushRequest, app: Int64) -> Bool {
        let credentials = state.withLock { $0.shelves[app]?.credentials } ?? []
        return credentials.contains { credential in
            request.environment.map(credential.environments.contains) ?? true
                && (request.deviceProfile == nil || credential.deviceProfile == request.deviceProfile)
                && (request.teamID == nil || credential.teamID == nil || credential.teamID == request.teamID)
                && (request.topic.map { credential.topics.isEmpty || credential.topics.contains($0) } ?? true)
        }
    }

    /// The client that serves a need; nil when no credential does.
    ///
    /// - Throws: when the credential cannot be used: a broken key or certificate.
    func client(for need: Need, app: Int64) throws(DeliveryError) -> (any NotificationClient)? {
        let result: Result<(any NotificationClient)?, DeliveryError> = state.withLock { state in
            guard let credential = Self.choose(need, app: app, &state) else { return .success(nil) }
            let key = ClientKey(credential: credential.number, environment: need.environment)
            if let client = state.clients[key] { return .success(client) }
            do throws(DeliveryError) {
                let client = try make(credential, need.environment, &state)
                state.clients[key] = client
                return .success(client)
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// The client that publishes for a need; nil when no credential serves it.
    ///
    /// - Throws: when the credential cannot be used: a broken key or certificate.
    func broadcastClient(for need: Need, app: Int64) throws(DeliveryError) -> BroadcastClient? {
        let result: Result<BroadcastClient?, DeliveryError> = state.withLock { state in
            guard let credential = Self.choose(need, app: app, &state) else { return .success(nil) }
            let key = ClientKey(credential: credential.number, environment: need.environment)
            if let client = state.broadcastClients[key] { return .success(client) }
            do {
                let proof = try state.proofs[credential.secret] ?? credential.clientCredential(clock: clock)
                state.proofs[credential.secret] = proof
                let client = try maker.broadcastClient(proof, need.environment)
                state.broadcastClients[key] = client
                return .success(client)
            } catch {
                return .failure(DeliveryError("credential \(credential.number) cannot be used: \(error)"))
            }
        }
        return try result.get()
    }

    private static func choose(_ need: Need, app: Int64, _ state: inout State) -> PushCredential? {
        guard let shelf = state.shelves[app] else { return nil }
        if let known = shelf.choices[need] {
            return known.flatMap { number in shelf.credentials.first { $0.number == number } }
        }
        // The newest one that fits: after a rotation that is the new key.
        let chosen = shelf.credentials.last { $0.serves(need) }
        if shelf.choices.count < choiceCountMax {
            state.shelves[app]?.choices[need] = .some(chosen?.number)
        }
        return chosen
    }

    private func make(
        _ credential: PushCredential, _ environment: Environment, _ state: inout State
    ) throws(DeliveryError) -> any NotificationClient {
        do {
            let proof = try state.proofs[credential.secret] ?? credential.clientCredential(clock: clock)
            state.proofs[credential.secret] = proof
            return try maker.notificationClient(proof, environment)
        } catch {
            throw DeliveryError("credential \(credential.number) cannot be used: \(error)")
        }
    }

    /// Closes all connections once what is on the wire is answered.
    func shutdown() async {
        let clients = state.withLock { state in
            defer { state.clients = [:] }
            state.broadcastClients = [:]
            return Array(state.clients.values)
        }
        for client in clients { await client.shutdown() }
    }
}

extension PushCredential {
    /// Whether a credential may be used for a need.
    func serves(_ need: ClientDirectory.Need) -> Bool {
        environments.contains(need.environment)
            && deviceProfile == need.deviceProfile
            && (need.teamID == nil || teamID == nil || teamID == need.teamID)
            && (topics.isEmpty || topics.contains(need.topic))
    }

    fileprivate func isSame(as other: PushCredential) -> Bool {
        number == other.number && secret == other.secret && environments == other.environments
    }
}
