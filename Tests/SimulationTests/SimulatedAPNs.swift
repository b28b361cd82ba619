import APNs
import APNsClient
import PushService
import Transport

/// APNs and the network before it: takes notifications, loses some of them and some answers.
///
/// Touched by the simulation's thread alone.
final class SimulatedAPNs {
    /// What APNs is like at a time.
    enum Weather: CaseIterable {
        case fair
        /// 429 to everything.
        case busy
        /// 503 to everything.
        case unavailable
        /// No connection can be made.
        case unreachable
        /// No answer comes, though everything is taken.
        case silent
        /// The provider's key is refused.
        case misconfigured
    }

    /// What APNs knows of a device token.
    struct Device {
        var environment: Environment
        /// When the app was removed, in milliseconds since 1970.
        var goneAt: Int64?
    }

    /// One notification on the wire.
    final class Attempt {
        let delivery: Observer.Delivery
        let node: SimulatedNode
        /// Whether APNs took it: a phone shows it.
        var isAccepted = false
        /// Whether the sender was told.
        var isAnswered = false

        init(_ delivery: Observer.Delivery, _ node: SimulatedNode) {
            self.delivery = delivery
            self.node = node
        }
    }

    static let refusedKey = Reason.invalidProviderToken

    private unowned let simulation: Simulation
    var weather = Weather.fair
    var devices: [DeviceToken: Device] = [:]

    init(_ simulation: Simulation) {
        self.simulation = simulation
    }

    /// Takes what a client is to send.
    func start(_ call: ClientCall, isCancelled: Bool) {
        // A task that was cancelled before has given everything up.
        if call.isFinished { return call.whenFinished() }
        call.node.calls.append(call)
        if isCancelled || !call.node.isAlive { return call.cancel() }
        if weather == .unreachable {
            // The client gives up after 20 s.
            let patience = simulation.random.time(1_000...20_000_000)
            simulation.after(patience, on: call.node) { [self] in
                guard weather == .unreachable else { return writeNext(of: call) }
                while let index = call.takeNext() {
                    call.finish(index, .failed(.notSent(TransportError(.connect, "simulated: no route"))))
                }
            }
            return
        }
        simulation.after(simulation.random.time(50...3_000), on: call.node) { [self] in writeNext(of: call) }
    }

    /// Puts the next notification of a call on the wire.
    private func writeNext(of call: ClientCall) {
        guard call.node.isAlive else { return }
        if call.permit?.isOver == true { return call.cancel() }
        guard let index = call.takeNext() else { return }
        write(index, of: call)
        let isSlow = simulation.random.isTrue(perMille: simulation.scenario.slowPerMille)
        let pause = isSlow ? simulation.random.time(1_000...40_000_000) : simulation.random.time(10...2_000)
        simulation.after(pause, on: call.node) { [self] in writeNext(of: call) }
    }

    private func write(_ index: Int, of call: ClientCall) {
        let started = simulation.time.now
        let node = call.node
        guard
            let delivery = simulation.observer.sent(
                call.notifications[index], in: call.environment, permit: call.permit, by: node)
        else { return call.finish(index, .failed(.cancelled)) }
        let attempt = Attempt(delivery, node)
        simulation.observer.attempts.append(attempt)
        let loss = simulation.random.below(1_000)
        let profile = simulation.scenario
        if loss < profile.lossPerMille / 2 {
            // The connection breaks before the request arrives.
            let delay = simulation.random.time(1_000...500_000)
            return answer(call, index, attempt, after: delay, since: started, Self.lost)
        }
        let isAnswerLost = loss < profile.lossPerMille
        simulation.after(simulation.random.time(1_000...60_000), on: nil) { [self] in
            let result = arrive(call.notifications[index], in: call.environment, attempt)
            if isAnswerLost || weather == .silent {
                let delay = simulation.random.isTrue(perMille: 300) ? 30_000_000 : 50_000
                answer(call, index, attempt, after: Int64(delay), since: started, Self.lost)
            } else {
                answer(
                    call, index, attempt, after: simulation.random.time(1_000...60_000), since: started,
                    result)
            }
        }
    }

    private static let lost = Outcome.Result.failed(
        .unknown(TransportError(.connectionLost, "simulated: the connection broke")))

    /// What APNs says to a notification.
    private func arrive(
        _ notification: Notification, in environment: Environment, _ attempt: Attempt
    ) -> Outcome.Result {
        func refused(_ status: Int, _ reason: Reason, at: Int64? = nil) -> Outcome.Result {
            .rejected(status: status, reason: reason, timestampMilliseconds: at)
        }
        switch weather {
        case .busy: return refused(429, .tooManyRequests)
        case .unavailable: return refused(503, .serviceUnavailable)
        case .misconfigured: return refused(403, Self.refusedKey)
        case .fair, .unreachable, .silent: break
        }
        guard let device = devices[notification.token], device.environment == environment else {
            return refused(400, .badDeviceToken)
        }
        if let goneAt = device.goneAt { return refused(410, .unregistered, at: goneAt) }
        attempt.isAccepted = true
        simulation.observer.shown(attempt.delivery)
        return .accepted
    }

    /// Brings an answer to the node, if it lives.
    private func answer(
        _ call: ClientCall, _ index: Int, _ attempt: Attempt, after delay: Int64, since started: Int64,
        _ result: Outcome.Result
    ) {
        simulation.after(delay, on: call.node) { [self] in
            guard call.node.isAlive else { return }
            attempt.isAnswered = true
            simulation.trace(call.node, "answer to \(attempt.delivery): \(result)")
            simulation.observer.answered(attempt.delivery, result, by: call.node)
            call.finish(index, result, microseconds: max(1, simulation.time.now - started))
        }
    }
}
