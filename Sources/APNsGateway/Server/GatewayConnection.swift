internal import APNs
internal import Transport

/// One provider's connection: hands requests to the validator, verdicts to the registry and the journal,
/// and answers.
///
/// Loop-confined. Per request there is no allocation and no lock but the journal's: the registries' lock
/// is held for all the requests of a read together.
final class GatewayConnection: HTTP2ConnectionHandler {
    private let state: GatewayState
    private let environment: Environment
    private let pushes: RequestValidator
    private let channels: ChannelValidator
    private var machine: ConnectionMachine
    private var fields = HTTP2Fields()
    /// Pushes of the current read that wait for their device, by their numbers in the journal.
    private var waiting: [(number: UInt64, notification: DeliverableNotification)] = []

    /// Makes the handler of a connection that has come to a service.
    init(state: GatewayState, environment: Environment) {
        self.state = state
        self.environment = environment
        pushes = RequestValidator(
            environment: environment, policy: state.policy.requests, verifier: state.verifier)
        channels = ChannelValidator(
            environment: environment, policy: state.policy, verifier: state.verifier)
        machine = ConnectionMachine(
            credential: .providerToken, environment: environment, policy: state.policy,
            seed: state.nextSeed(), nowMilliseconds: state.hub.clock.nowMilliseconds)
    }

    // MARK: HTTP2ConnectionHandler

    func connection(
        _ connection: HTTP2Connection, willStartWith settings: HTTP2Settings
    ) -> HTTP2Settings {
        machine = ConnectionMachine(
            credential: .init(
                certificate: connection.peerCertificate, fault: connection.peerCertificateError),
            environment: environment, policy: state.policy, seed: state.nextSeed(),
            nowMilliseconds: state.hub.clock.nowMilliseconds)
        var settings = settings
        settings.maxConcurrentStreams = machine.maxConcurrentStreams
        return settings
    }

    func connectionReady(_ connection: HTTP2Connection) {}

    func connection(_ connection: HTTP2Connection, received streams: [HTTP2Stream]) {
        var actions = ConnectionActions.none
        state.hub.withRegistries { registries, _, now in
            for stream in streams {
                guard handle(stream, on: connection, &registries, now: now, actions: &actions) else { break }
            }
        }
        perform(actions, on: connection)
        for waiting in waiting {
            state.hub.remember(journalNumber: waiting.number, for: waiting.notification)
        }
        waiting.removeAll(keepingCapacity: true)
    }

    func connectionTicked(_ connection: HTTP2Connection, nowMilliseconds: UInt64) {
        let now = state.hub.clock.nowMilliseconds
        guard let due = machine.timerDueMilliseconds, now >= due else { return }
        perform(machine.timerFired(nowMilliseconds: now), on: connection)
    }

    func connectionClosed(_ connection: HTTP2Connection, error: TransportError?) {}

    /// Ends the connection because the gateway goes down; open streams finish.
    ///
    /// Loop only.
    func drain(_ connection: HTTP2Connection) {
        perform(machine.drain(), on: connection)
        connection.flush()
    }

    // MARK: Requests

    /// Answers whether the requests after this one are still to be looked at.
    private func handle(
        _ stream: HTTP2Stream, on connection: HTTP2Connection, _ registries: inout Registries, now: Int64,
        actions: inout ConnectionActions
    ) -> Bool {
        guard !stream.isClosed else { return true }
        let draw = state.faults.draw()
        if let interference = draw?.interference, draw?.rejection == nil {
            return interfere(interference, with: stream, on: connection, now: now, actions: &actions)
        }
        let delay = draw?.latencyMilliseconds ?? 0
        let rejection = stream.fields.withUnsafeFields { source -> Rejection? in
            let head = RequestHead(source)
            let route = Route(path: head.path)
            switch route {
            case .device, .unknown:
                return push(
                    head, route, stream, on: connection, &registries, draw, delay: delay, now: now)
            case .broadcast, .channels, .allChannels:
                return channelRequest(
                    head, route, stream, on: connection, &registries, draw, delay: delay, now: now)
            }
        }
        actions.merge(machine.completed(rejection, nowMilliseconds: now))
        if let limit = draw?.maxConcurrentStreams {
            actions.merge(machine.imposeLimit(limit, forRequests: FaultDraw.limitedRequests))
        }
        return true
    }

    private func push(
        _ head: RequestHead, _ route: Route, _ stream: HTTP2Stream,
        on connection: HTTP2Connection, _ registries: inout Registries, _ draw: FaultDraw?, delay: Int,
        now: Int64
    ) -> Rejection? {
        let verdict = stream.body.withUnsafeBytes { body in
            pushes.verdict(
                on: head, route: route, body: body, bodyByteCount: stream.bodyByteCount,
                connection: &machine, directory: registries.devices, fault: draw?.rejection,
                nowMilliseconds: now)
        }
        switch verdict.outcome {
        case .accepted(let device):
            accept(verdict, device: device, payload: stream.body, &registries, on: connection, now: now)
        case .rejected:
            append(verdict, verdict.decision, on: connection, now: now)
        }

        fields.removeAll()
        appendStatus(verdict.status)
        fields.append(name: "apns-id") { verdict.responseID.append(to: &$0) }
        if environment == .sandbox {
            fields.append(name: "apns-unique-id") { verdict.uniqueID.append(to: &$0) }
        }
        let rejection = verdict.rejection
        respond(
            to: stream, body: rejection.map { state.bodies.body(of: $0) } ?? [], on: connection,
            delay: delay)
        return rejection
    }

    private func accept(
        _ verdict: borrowing RequestVerdict, device: Int64?, payload: [UInt8],
        _ registries: inout Registries, on connection: HTTP2Connection, now: Int64
    ) {
        guard let device, let token = verdict.token, let topic = verdict.topic else {
            append(verdict, .acceptedWithoutDevice, on: connection, now: now)
            return
        }
        let notification = DeliverableNotification(
            id: verdict.responseID.id, uniqueID: verdict.uniqueID, token: token, topic: topic,
            pushType: verdict.pushType, priority: verdict.priority ?? .high,
            expiration: verdict.expiration, collapseID: verdict.collapseID, payload: payload,
            receivedAtMilliseconds: now, environment: environment)
        let decision = registries.devices.accept(notification, device: device, at: now)
        let number = append(verdict, decision.journalDecision, on: connection, now: now)
        switch decision {
        case .stored, .held: waiting.append((number, notification))
        case .delivered, .discarded, .noDevice: break
        }
    }

    @discardableResult
    private func append(
        _ verdict: borrowing RequestVerdict, _ decision: JournalDecision, on connection: HTTP2Connection,
        now: Int64
    ) -> UInt64 {
        state.journal.append(
            JournalRecord(
                verdict, decision: decision, environment: environment, connection: connection.id,
                timeMilliseconds: now))
    }

    private func channelRequest(
        _ head: RequestHead, _ route: Route, _ stream: HTTP2Stream,
        on connection: HTTP2Connection, _ registries: inout Registries, _ draw: FaultDraw?, delay: Int,
        now: Int64
    ) -> Rejection? {
        var verdict = stream.body.withUnsafeBytes { body in
            channels.verdict(
                on: head, route: route, body: body, bodyByteCount: stream.bodyByteCount,
                connection: &machine, directory: registries.channels, fault: draw?.rejection,
                nowMilliseconds: now)
        }
        let response = carryOut(&verdict, payload: stream.body, &registries, now: now)
        let rejection = verdict.rejection
        var record = JournalRecord(
            operation: verdict.operation, id: verdict.responseID, environment: environment,
            connection: connection.id, timeMilliseconds: now,
            decision: rejection == nil ? .done : rejection == draw?.rejection ? .faultReason : .refused,
            status: response.status, reason: rejection?.reason)
        record.topic = verdict.bundleID
        record.payloadByteCount = Int32(clamping: verdict.payloadByteCount)
        state.journal.append(record)

        fields.removeAll()
        appendStatus(response.status)
        fields.append(name: "apns-request-id") { verdict.responseID.append(to: &$0) }
        if let channel = response.channel {
            fields.append(name: "apns-channel-id", value: Array(channel.rawValue.utf8))
        }
        respond(to: stream, body: response.body ?? [], on: connection, delay: delay)
        return rejection
    }

    private func carryOut(
        _ verdict: inout ChannelVerdict, payload: [UInt8], _ registries: inout Registries, now: Int64
    ) -> ChannelResponse {
        let bundleID = verdict.bundleID?.rawValue ?? ""
        switch verdict.outcome {
        case .create(let configuration):
            let channel = registries.channels.create(
                bundleID: bundleID, environment: environment,
                storagePolicy: configuration.storagePolicy, at: now, using: &machine.identifiers)
            if let channel { return .created(channel) }
            verdict.outcome = .rejected(Rejection(.cannotCreateChannelConfig))
            return carryOut(&verdict, payload: payload, &registries, now: now)
        case .read(let configuration):
            return .configuration(configuration)
        case .delete(let channel):
            _ = registries.channels.delete(channel, bundleID: bundleID, environment: environment)
            return .deleted
        case .list:
            return .list(registries.channels.list(bundleID: bundleID, environment: environment))
        case .publish(let broadcast):
            let message = BroadcastMessage(
                id: verdict.responseID.id, priority: broadcast.priority,
                expiration: broadcast.expiration, payload: payload, receivedAtMilliseconds: now)
            _ = registries.publish(
                message, to: broadcast.channel, bundleID: bundleID, environment: environment, at: now)
            return .published
        case .rejected(let rejection):
            return .rejected(rejection, bodies: state.bodies)
        }
    }

    // MARK: Faults

    private func interfere(
        _ interference: FaultDraw.Interference, with stream: HTTP2Stream, on connection: HTTP2Connection,
        now: Int64, actions: inout ConnectionActions
    ) -> Bool {
        switch interference {
        case .reject:
            return true
        case .silence:
            note(.faultSilence, stream, on: connection, now: now)
            return true
        case .reset(let errorCode):
            note(.faultReset, stream, on: connection, now: now)
            connection.reset(stream, errorCode: HTTP2ErrorCode(rawValue: errorCode))
            return true
        case .drop:
            note(.faultDrop, stream, on: connection, now: now)
            connection.flush()
            connection.close(TransportError(.closed, "a fault that was asked for"), abruptly: true)
            return false
        case .goAway(let goAway):
            note(.faultGoAway, stream, on: connection, now: now)
            // This request and those after it count as never looked at.
            connection.goAway(
                errorCode: HTTP2ErrorCode(rawValue: goAway.errorCode),
                debugData: state.bodies.data(of: goAway.reason), lastStreamID: max(stream.id - 2, 0))
            connection.closeAfterFlush()
            return false
        }
    }

    private func note(
        _ decision: JournalDecision, _ stream: HTTP2Stream, on connection: HTTP2Connection, now: Int64
    ) {
        var record = JournalRecord(
            operation: .push, id: machine.makeResponseID(), environment: environment,
            connection: connection.id, timeMilliseconds: now, decision: decision)
        stream.fields.withUnsafeFields { source in
            let head = RequestHead(source)
            if head.has(.id), let id = ResponseID(echoing: head.id) { record.id = id }
            if case .device(let digits) = Route(path: head.path) {
                record.token = DeviceToken(hexUTF8: digits)
            }
        }
        state.journal.append(record)
    }

    // MARK: Answers

    private func appendStatus(_ status: Int) {
        if status == 200 {
            fields.append(name: ":status", value: "200")
        } else {
            fields.append(name: ":status", value: Array(String(status).utf8))
        }
    }

    private func respond(
        to stream: HTTP2Stream, body: [UInt8], on connection: HTTP2Connection, delay: Int
    ) {
        if !body.isEmpty { fields.append(name: "content-type", value: "application/json") }
        guard delay > 0 else { return connection.respond(to: stream, fields: fields, body: body) }
        let (fields, generation) = (fields, stream.generation)
        connection.eventLoop.schedule(after: .milliseconds(delay)) { [weak connection] in
            // The object may serve another stream by now.
            guard let connection, stream.generation == generation, !stream.isClosed else { return }
            connection.respond(to: stream, fields: fields, body: body)
            connection.flush()
        }
    }

    private func perform(_ actions: ConnectionActions, on connection: HTTP2Connection) {
        if let limit = actions.maxConcurrentStreams { connection.setMaxConcurrentStreams(limit) }
        if actions.sendsPing { connection.ping() }
        if let goAway = actions.goAway {
            // Answers go first: clients on python-h2 (httpx, aioapns) take nothing after a GOAWAY.
            connection.flush()
            connection.goAway(
                errorCode: HTTP2ErrorCode(rawValue: goAway.errorCode),
                debugData: state.bodies.data(of: goAway.reason))
            connection.closeAfterFlush()
        }
    }
}

extension UnsafeHTTP2Fields: HeaderFieldSource {
    package func forEachField(
        _ body: (_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> Void
    ) {
        forEach(body)
    }
}
