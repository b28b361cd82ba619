public import APNs
internal import Synchronization
internal import Transport

/// A phone's link to `belfry gateway`, over its control API.
///
/// The first app that registers makes the phone known to the gateway. From then on an event stream is open while the
/// phone has a connection; when it breaks it is opened again, and goes on where it was.
public final class GatewayLink: PushLink {
    private struct Contents {
        var device: String?
        var tokens: [String: Environment] = [:]
        /// The last push that was handed over.
        var lastSequence: String?
        var receive: (@Sendable (RemotePush) async -> Void)?
        var streaming: Task<Void, Never>?
    }

    /// What comes while the phone works on an earlier one; the gateway sends one at a time.
    private static let waitingCountMax = 256
    /// Between two attempts to open the stream again.
    private static let retry = Duration.milliseconds(500)
    /// A stream that goes on without an end, in seconds; it is opened again afterwards.
    private static let streamTimeout = Duration.seconds(86_400)

    private let control: String
    private let name: String
    private let client: HTTPClient
    private let contents: Mutex<Contents>

    /// Makes a link.
    ///
    /// - Parameters:
    ///   - control: the URL of the gateway's control interface, such as `http://localhost:8079`.
    ///   - name: what the phone is called there.
    public convenience init(control: String, name: String) {
        self.init(control: control, name: name, device: nil)
    }

    /// Makes a link of a phone that the gateway knows.
    init(control: String, name: String, device: String?) {
        self.control = control.hasSuffix("/") ? String(control.dropLast()) : control
        self.name = name
        client = HTTPClient()
        contents = Mutex(Contents(device: device))
    }

    deinit {
        contents.withLock { $0.streaming }?.cancel()
        client.close()
    }

    /// The phone's id at the gateway; nil before the first app has registered.
    public var deviceID: String? { contents.withLock { $0.device } }

    /// Opens the stream, or does so as soon as an app has registered.
    public func connect(
        _ receive: @escaping @Sendable (RemotePush) async -> Void
    ) async throws(PhoneError) {
        contents.withLock { $0.receive = receive }
        _ = try await call("GET", "/healthz")
        try await openStream()
    }

    /// Closes the stream.
    public func disconnect() async {
        let streaming = contents.withLock { contents in
            contents.receive = nil
            defer { contents.streaming = nil }
            return contents.streaming
        }
        streaming?.cancel()
        await streaming?.value
        // The gateway notices the end of a stream by itself, but not at once.
        if let device = deviceID { _ = try? await call("PATCH", "/devices/\(device)", ["online": false]) }
    }

    /// Registers an app; the first one makes the phone known.
    public func register(
        _ bundleIdentifier: String, environment: APNs.Environment
    ) async throws(PhoneError) -> DeviceToken {
        let token = try await register(
            ["topic": .string(bundleIdentifier), "environment": .string(environment.rawValue)])
        contents.withLock { $0.tokens[bundleIdentifier] = environment }
        return token
    }

    private func register(_ fields: [String: JSONValue]) async throws(PhoneError) -> DeviceToken {
        let answer: JSONValue
        if let device = deviceID {
            answer = try await call("POST", "/devices/\(device)/registrations", .object(fields))
        } else {
            var fields = fields
            fields["name"] = .string(name)
            answer = try await call("POST", "/devices", .object(fields))
            guard case .string(let device)? = answer["id"] else { throw Self.unexpected("an id") }
            contents.withLock { $0.device = device }
        }
        guard case .string(let text)? = answer["token"] else { throw Self.unexpected("a token") }
        let token: DeviceToken
        do {
            token = try DeviceToken(hex: text)
        } catch {
            throw PhoneError(.link, error.message)
        }
        try await openStream()
        return token
    }

    /// Asks for a token beside that of the app's notifications.
    public func register(
        _ bundleIdentifier: String, environment: APNs.Environment, family: String, instance: String
    ) async throws(PhoneError) -> DeviceToken {
        let pushType: PushType = family == "voip" ? .voip : .liveactivity
        return try await register([
            "topic": .string(bundleIdentifier + pushType.topicSuffix),
            "environment": .string(environment.rawValue), "family": .string(family),
            "instance": .string(instance),
        ])
    }

    /// Tells the gateway.
    public func tell(_ news: PushLinkNews) async throws(PhoneError) {
        guard let device = deviceID else { return }
        let path = "/devices/\(device)"
        switch news {
        case .launched(let app):
            guard let fields = appFields(app) else { return }
            _ = try await call("POST", path + "/launch", .object(fields))
        case .forceQuit(let app):
            guard let fields = appFields(app) else { return }
            _ = try await call("POST", path + "/quit", .object(fields))
        case .unregistered(_, let token):
            _ = try await call("DELETE", path + "/registrations/" + token.hexString)
        case .uninstalled(let app):
            guard let environment = contents.withLock({ $0.tokens.removeValue(forKey: app) }) else { return }
            _ = try await call("DELETE", path + "?topic=\(app)&environment=\(environment.rawValue)")
        case .enabled(let app, let isEnabled):
            guard var fields = appFields(app) else { return }
            fields["enabled"] = .bool(isEnabled)
            _ = try await call("PATCH", path, .object(fields))
        case .powerSaving(let isOn):
            _ = try await call("PATCH", path, ["power_saving": .bool(isOn)])
        }
    }

    /// Restores the phone's backup onto a new one.
    public func restore(toPhoneNamed name: String) async throws(PhoneError) -> any PushLink {
        guard let device = deviceID else { return GatewayLink(control: control, name: name) }
        let answer = try await call("POST", "/devices/\(device)/restore", ["name": .string(name)])
        guard case .string(let new)? = answer["id"] else { throw Self.unexpected("an id") }
        return GatewayLink(control: control, name: name, device: new)
    }

    /// The fields that name an app; nil for one that has not registered, which the gateway does not know.
    private func appFields(_ app: String) -> [String: JSONValue]? {
        contents.withLock { $0.tokens[app] }.map {
            ["topic": .string(app), "environment": .string($0.rawValue)]
        }
    }

    // MARK: Stream

    /// Opens the stream unless it is open; returns when the gateway has the phone online.
    private func openStream() async throws(PhoneError) {
        let (device, isWanted) = contents.withLock { contents in
            (contents.device, contents.receive != nil && contents.streaming == nil)
        }
        guard let device, isWanted else { return }
        let (opened, opening) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let task = Task { [weak self] in
            // Ends when the link is disconnected, or gone.
            while !Task.isCancelled, let self {
                await self.stream(device, opening)
                try? await Task.sleep(for: Self.retry)
            }
            opening.finish()
        }
        contents.withLock { $0.streaming = task }
        var iterator = opened.makeAsyncIterator()
        _ = await iterator.next()
    }

    /// One connection of the stream, until it ends.
    private func stream(_ device: String, _ opened: AsyncStream<Void>.Continuation) async {
        let (events, received) = AsyncStream<[UInt8]>.makeStream(
            bufferingPolicy: .bufferingOldest(Self.waitingCountMax))
        var headers = [HTTPHeaders.Field(name: "Accept", value: "text/event-stream")]
        if let last = contents.withLock({ $0.lastSequence }) {
            headers.append(.init(name: "Last-Event-ID", value: last))
        }
        let request = HTTPClientRequest(
            url: control + "/devices/\(device)/stream?link=true", headers: headers,
            timeout: Self.streamTimeout)
        let client = client
        await withDiscardingTaskGroup { group in
            group.addTask {
                // An end by error and an end by the gateway are the same here: the stream is opened again.
                _ = try? await client.stream(request) { piece in
                    // A piece that finds no room is lost, and with it the stream's order: it ends.
                    if case .dropped = received.yield(piece) { received.finish() }
                }
                received.finish()
            }
            var reader = ServerSentEventReader()
            for await piece in events {
                guard let read = reader.read(piece) else { break }
                for event in read { await take(event, device, opened) }
            }
            group.cancelAll()
        }
    }

    private func take(
        _ event: ServerSentEventReader.Event, _ device: String, _ opened: AsyncStream<Void>.Continuation
    ) async {
        switch event.name {
        case "device": opened.yield()
        case "notification":
            let receive = contents.withLock { contents in
                contents.lastSequence = event.id
                return contents.receive
            }
            if let push = try? RemotePush(delivery: event.data) { await receive?(push) }
            if let sequence = Int64(event.id) {
                // Not acknowledged, it counts as in flight until the stream is opened again.
                _ = try? await call(
                    "POST", "/devices/\(device)/acknowledge", ["sequence": .integer(sequence)])
            }
        default: break
        }
    }

    // MARK: Requests

    private func call(
        _ method: String, _ path: String, _ body: JSONValue? = nil
    ) async throws(PhoneError) -> JSONValue {
        let response: HTTPClientResponse
        do {
            response = try await client.send(
                HTTPClientRequest(
                    method: method, url: control + path,
                    headers: [.init(name: "Content-Type", value: "application/json")],
                    body: try body.map { try $0.encoded() }))
        } catch {
            throw PhoneError(.link, "the gateway at \(control) cannot be reached: \(error)")
        }
        let json = try? JSONValue(parsing: response.body)
        guard (200..<300).contains(response.status) else {
            var text = "status \(response.status)"
            if case .string(let message)? = json?["error"] { text = message }
            throw PhoneError(.link, "the gateway refuses \(method) \(path.prefix(60)): \(text)")
        }
        return json ?? .null
    }

    private static func unexpected(_ what: String) -> PhoneError {
        PhoneError(.link, "the gateway's answer lacks \(what)")
    }
}

extension RemotePush {
    /// Reads a delivery of the gateway's stream.
    init(delivery text: [UInt8]) throws(PhoneError) {
        let members: JSONValue
        do {
            members = try JSONValue(parsing: text)
        } catch {
            throw PhoneError(.link, "a delivery is not JSON: \(error.message)")
        }
        guard case .string(let topic)? = members["topic"],
            case .string(let identifier)? = members["request_identifier"], let payload = members["payload"],
            let encoded = try? payload.encoded()
        else { throw PhoneError(.link, "a delivery lacks topic, request_identifier or payload") }
        var pushType: PushType?
        if case .string(let name)? = members["push_type"] { pushType = PushType(rawValue: name) }
        var id: String?
        if case .string(let text)? = members["apns_id"] { id = text }
        let bundleIdentifier = (try? Topic(topic))?.bundleID ?? topic
        var priority: Priority?
        if case .integer(let value)? = members["priority"] {
            priority = Int(exactly: value).flatMap { Priority(rawValue: $0) }
        }
        var token: DeviceToken?
        if case .string(let text)? = members["token"] { token = try? DeviceToken(hex: text) }
        self.init(
            bundleIdentifier: bundleIdentifier, payload: encoded, identifier: identifier, pushType: pushType,
            priority: priority, token: token, apnsID: id)
    }
}
