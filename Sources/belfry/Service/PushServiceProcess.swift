internal import APNsClient
internal import PushConsole
internal import PushService
internal import PushStore
internal import Recurrence
internal import Transport

/// A push service at work: API, delivery and what they stand on.
///
/// ``start(_:)`` brings all of it up; ``run(until:)`` works until told to stop, and takes it down in order.
struct PushServiceProcess: Sendable {
    struct Configuration: Sendable {
        var host: String
        var port: UInt16
        var endpoints: ClientDirectory.Endpoints
        var threadCount: Int
        /// Under which name batches are held.
        var owner: String
        /// What the console may use beside the service.
        var console = PushConsole.Configuration()
        /// Answers requests before API and console do; nil for those that are theirs.
        var pages: @Sendable (HTTPRequest) async -> HTTPResponse? = { _ in nil }
        var now: @Sendable () -> Instant = {
            Instant(millisecondsSince1970: WallClock.system.millisecondsSince1970)
        }
    }

    /// Under which name a service on SQLite holds batches: it is the only one on its data folder.
    static let sqliteOwner = "sqlite"
    private static let stopDeadline = Duration.seconds(10)

    let store: any Store
    let api: PushAPI
    let console: PushConsole
    let server: HTTPServer
    let delivery: DeliveryService
    let webhooks: WebhookSender
    /// What `/metrics` says of devices.
    let outcomes: OutcomeMetrics
    private let log: Log
    private let loops: EventLoopGroup

    /// Starts to listen; nothing is sent before ``run(until:)``.
    static func start(
        store: any Store, _ configuration: Configuration, log: Log
    ) throws(CommandError) -> PushServiceProcess {
        var configuration = configuration
        var tokenClock = WallClock.system
        if let shared = store as? PostgreSQLStore {
            // All nodes go by one clock, the server's: leases mean the same to each.
            let own = configuration.now
            configuration.now = {
                shared.serverMilliseconds.map(Instant.init(millisecondsSince1970:)) ?? own()
            }
            let now = configuration.now
            tokenClock = WallClock({ now().millisecondsSince1970 }, elapsed: WallClock.systemElapsed)
        }
        let loops = EventLoopGroup(count: configuration.threadCount, name: "apns")
        let outcomes = OutcomeMetrics()
        let delivery = DeliveryService(
            store: store, endpoints: configuration.endpoints, owner: configuration.owner, loops: loops,
            now: configuration.now, tokenClock: tokenClock
        ) { event in
            ServiceLog(log: log).write(event)
            switch event {
            case .ended(let push): Task { await count(push, in: store, outcomes) }
            case .stored(let app, let found, let retryCount):
                outcomes.count(found, retryCount: retryCount, app: app)
            case .pushStopped, .failed, .stopped, .resumed: break
            }
        }
        (store as? PostgreSQLStore)?.onWork { delivery.wakeUp() }
        let api = PushAPI(
            store: store, now: configuration.now, wakeDelivery: { delivery.wakeUp() },
            reportFailure: { log.error("a request failed", ["operation": $0, "error": $1]) },
            reportAct: { ServiceLog(log: log).write($0) },
            moreMetrics: { outcomes.text + buildInfo(store) })
        var http = HTTPServer.Configuration(host: configuration.host, port: configuration.port)
        http.bodyByteCountMax = PushAPI.bodyByteCountMax
        http.rejectionResponse = { PushAPI.rejection(status: $0, message: $1) }
        let console = PushConsole(
            api: api, store: store, now: configuration.now, configuration: configuration.console)
        let pages = configuration.pages
        let server = HTTPServer(configuration: http) { request in
            if let page = await pages(request) { return page }
            return PushConsole.isConsole(request)
                ? await console.respond(to: request) : await api.respond(to: request)
        }
        do throws(TransportError) {
            try server.start()
        } catch {
            throw .unavailable(error.message)
        }
        return PushServiceProcess(
            store: store, api: api, console: console, server: server, delivery: delivery,
            webhooks: WebhookSender(store: store, client: HTTPClient()), outcomes: outcomes, log: log,
            loops: loops)
    }

    /// Which program this is, as a metric.
    private static func buildInfo(_ store: any Store) -> String {
        var page = MetricsPage()
        page.begin(
            "belfry_build_info", "gauge",
            "The program's version, and the version of the schema that it knows.")
        page.add(["version": Version.number, "schema": String(store.schemaVersion)], 1)
        return page.text
    }

    /// Counts a push that has ended, and those of its devices that the store gave their outcome.
    ///
    /// Metrics are no reason to hold up anything.
    private static func count(_ push: Push, in store: any Store, _ outcomes: OutcomeMetrics) async {
        guard let app = try? await store.apps().first(where: { $0.number == push.app }),
            let record = try? await store.record(id: push.objectID, app: push.app)
        else { return }
        outcomes.count(record, app: app.id)
    }

    /// Works until asked to stop: then takes no new work, stores what is known and hands batches back.
    func run(until stop: StopRequest) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await delivery.run() }
            group.addTask { await console.run() }
            group.addTask {
                await webhooks.run { log.error("webhooks failed, will try again", ["error": $0.message]) }
            }
            group.addTask {
                await stop.wait()
                await server.stop(deadline: Self.stopDeadline)
            }
            // The API first, so that nothing is accepted that nobody starts on.
            await group.next()
            group.cancelAll()
        }
        loops.shutdown()
    }
}
