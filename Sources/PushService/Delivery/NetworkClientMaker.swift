internal import APNs
internal import APNsClient
internal import Transport

/// Makes clients whose connections go over the network.
struct NetworkClientMaker: ClientMaker {
    let endpoints: ClientDirectory.Endpoints
    /// The threads all connections share.
    let loops: EventLoopGroup

    func notificationClient(
        _ credential: Credential, _ environment: Environment
    ) throws -> any NotificationClient {
        // Waits belong to the service, which knows of lifetimes and crashes: the client does not retry.
        var policy = RetryPolicy()
        policy.window = .zero
        return try APNsClient(
            APNsClient.Configuration(
                endpoint: endpoint(environment), credential: credential, unreachableAfter: .seconds(20),
                retryPolicy: policy, proxy: endpoints.proxy),
            loops: loops)
    }

    func broadcastClient(_ credential: Credential, _ environment: Environment) throws -> BroadcastClient {
        // Channels are managed elsewhere; a connection is made with the first call.
        let endpoint = endpoint(environment)
        return try BroadcastClient(
            management: endpoint, publishing: endpoint, credential: credential, proxy: endpoints.proxy,
            loop: loops.next())
    }

    private func endpoint(_ environment: Environment) -> Endpoint {
        environment == .production ? endpoints.production : endpoints.sandbox
    }
}
