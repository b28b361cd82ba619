import APNs
import APNsClient
import PushService

/// Makes a node's clients.
struct NodeClientMaker: ClientMaker {
    let node: SimulatedNode
    let simulation: Simulation

    func notificationClient(
        _ credential: Credential, _ environment: Environment
    ) throws -> any NotificationClient {
        SimulatedClient(node: node, environment: environment, simulation: simulation)
    }

    func broadcastClient(_ credential: Credential, _ environment: Environment) throws -> BroadcastClient {
        throw DeliveryError("broadcasts are not simulated")
    }
}
