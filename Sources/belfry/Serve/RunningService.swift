internal import APNsClient
internal import PushService
internal import PushStore
internal import Recurrence
internal import Transport

/// A push service at work: its API on a port, and delivery beside it.
struct RunningService: Sendable {
    /// How long requests that are being answered get when the service stops.
    private static let stopDuration = Duration.seconds(10)
    /// Threads that hold the connections to APNs; one keeps up with a core that composes.
    private static let loopCount = 1
    /// The service's name in batches it holds; the lock on its folder makes sure that there is one of it.
    private static let owner = "serve"

    private let store: SQLiteStore
    private let server: HTTPServer
    private let loops: EventLoopGroup
    private let delivery: Task<Void, Never>

    /// The port the API is on.
    var port: UInt16 { server.port }

    /// Starts everything.
    ///
    /// - Parameters:
    ///   - store: what it serves; closed by ``stop()``, and when this throws.
    ///   - host: the address to listen on.
    ///   - port: 0 takes a free one.
    ///   - endpoints: where notifications go.
    ///   - now: the time.
    ///   - log: hears of what fails.
    static func start(
        _ store: SQLiteStore, host: String, port: UInt16, endpoints: ClientDirectory.Endpoints,
        now: @escaping @Sendable () -> Instant, log: Log
    ) async throws(CommandError) -> RunningService {
        let loops = EventLoopGroup(count: loopCount)
        let delivery = DeliveryService(
            store: store, endpoints: endpoints, owner: owner, loops: loops, now: now
        ) { event in
            switch event {
            case .ended(let push): log.info("push ended", ["push": push.objectID, "state": push.state.rawValue])
            case .failed(let message): log.error("delivery failed, and is tried again", ["error": message])
            }
        }
        let api = PushAPI(store: store, now: now, wakeDelivery: { delivery.wakeUp() })
        var configuration = HTTPServer.Configuration(host: host, port: port)
        configuration.bodyByteCountMax = PushAPI.bodyByteCountMax
        configuration.rejectionResponse = { PushAPI.rejection(status: $0, message: $1) }
        let server = HTTPServer(configuration: configuration) { await api.respond(to: $0) }
        do throws(TransportError) {
            try server.start()
        } catch {
            loops.shutdown()
            await store.close()
            throw .unavailable(error.message)
        }
        // Cancelled and awaited by `stop`.
        let task = Task { await delivery.run() }
        return RunningService(store: store, server: server, loops: loops, delivery: task)
    }

    /// Takes no more requests, hands back batches that are not done, and closes everything.
    func stop() async {
        await server.stop(deadline: Self.stopDuration)
        delivery.cancel()
        await delivery.value
        loops.shutdown()
        await store.close()
    }
}
