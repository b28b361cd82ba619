import APNs
import APNsClient
import PushService

/// A node's connection to APNs in one environment.
///
/// Keeps what ``APNsClient`` promises: each notification gets one outcome, and nothing is put on the wire once the
/// permit has ended or the caller's task is cancelled. Connections and streams are not simulated.
struct SimulatedClient: NotificationClient {
    let node: SimulatedNode
    let environment: Environment
    let simulation: Simulation

    func send(_ notifications: [Notification], permit: SendPermit?) async -> [Outcome] {
        guard !notifications.isEmpty else { return [] }
        let call = ClientCall(notifications, permit, environment, node)
        await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                call.whenFinished = { continuation.resume() }
                simulation.network.start(call, isCancelled: Task.isCancelled)
            }
        } onCancel: {
            call.cancel()
        }
        return call.outcomes.map { $0 ?? Outcome(result: .failed(.cancelled)) }
    }

    func shutdown() async {}
}
