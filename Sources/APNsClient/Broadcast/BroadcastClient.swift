public import APNs
internal import Crypto
public import Transport

/// Makes, reads, lists and deletes broadcast channels, and publishes on them (iOS 18 and later).
///
/// Paths and fields from Apple: Sending channel management requests to APNs; Sending broadcast push
/// notification requests to APNs. Callable from any thread.
public final class BroadcastClient: Sendable {
    /// A refusal, with what APNs said.
    public struct Rejection: Error, Sendable, Hashable, CustomStringConvertible {
        /// The HTTP status.
        public var status: Int
        /// The reason.
        public var reason: Reason
        /// The id of the request, for a report to Apple.
        public var requestID: NotificationID?

        /// The status and the reason.
        public var description: String { "\(status) \(reason)" }
    }

    /// What can go wrong with a call.
    public enum Failure: Error, Sendable, Hashable {
        /// APNs answered and refused.
        case rejected(Rejection)
        /// There is no answer; the call may have had its effect.
        case transport(TransportError)
        /// The credential cannot be used; nothing was sent.
        case credential(String)
        /// A bundle id that no app can have; nothing was sent.
        case invalidBundleID(String)
        /// The answer is none that APNs documents.
        case unexpectedAnswer(String)
    }

    private let management: HTTP2RequestClient
    private let publishing: HTTP2RequestClient
    private let credential: Credential
    private let ownedLoop: EventLoop?

    /// Makes a client; connections are opened with the first call.
    ///
    /// - Parameters:
    ///   - management: the channel management service; Apple's has hosts and ports of its own.
    ///   - publishing: where broadcasts are sent.
    ///   - credential: a signing key or a certificate that covers the app.
    ///   - proxy: a proxy to tunnel through.
    ///   - loop: where connections live; nil starts one of the client's own.
    /// - Throws: ``Failure/credential(_:)``.
    public init(
        management: Endpoint, publishing: Endpoint, credential: Credential, proxy: HTTPProxy? = nil,
        loop: EventLoop? = nil
    ) throws(Failure) {
        ownedLoop = loop == nil ? EventLoop(name: "apns-broadcast") : nil
        let home = loop ?? ownedLoop ?? EventLoop(name: "apns-broadcast")
        self.credential = credential
        self.management = try Self.client(management, credential, proxy, home)
        self.publishing = try Self.client(publishing, credential, proxy, home)
    }

    /// Makes a client of Apple's services.
    ///
    /// - Throws: ``Failure/credential(_:)``.
    public convenience init(
        _ environment: Environment, credential: Credential, proxy: HTTPProxy? = nil, loop: EventLoop? = nil
    ) throws(Failure) {
        try self.init(
            management: Endpoint(
                host: environment.channelManagementHost, port: environment.channelManagementPort),
            publishing: Endpoint(environment), credential: credential, proxy: proxy, loop: loop)
    }

    deinit {
        management.close()
        publishing.close()
        ownedLoop?.shutdown()
    }

    // MARK: Channels

    /// Makes a channel; APNs chooses its id.
    ///
    /// - Parameters:
    ///   - bundleID: of the app, without a push type's suffix.
    ///   - storagePolicy: whether the last broadcast is kept for devices that are offline; for ever.
    public func createChannel(
        bundleID: String, storagePolicy: MessageStoragePolicy
    ) async throws(Failure) -> ChannelID {
        let body = ChannelConfiguration(storagePolicy: storagePolicy).encoded
        let answer = try await call(
            management, "POST", try Self.path("/1/apps/", bundleID, "/channels"), body: body, expecting: 201)
        guard let text = answer.fields.first(named: "apns-channel-id"), let id = try? ChannelID(text) else {
            throw .unexpectedAnswer("201 without a usable apns-channel-id")
        }
        return id
    }

    /// What a channel was made with.
    public func readChannel(
        _ channel: ChannelID, bundleID: String
    ) async throws(Failure) -> ChannelConfiguration {
        let answer = try await call(
            management, "GET", try Self.path("/1/apps/", bundleID, "/channels"), channel: channel,
            expecting: 200)
        guard case .accepted(let configuration) = ChannelConfiguration.read(json: answer.body) else {
            throw .unexpectedAnswer("the body is no channel's configuration")
        }
        return configuration
    }

    /// The ids of all channels of an app.
    public func listChannels(bundleID: String) async throws(Failure) -> [ChannelID] {
        let answer = try await call(
            management, "GET", try Self.path("/1/apps/", bundleID, "/all-channels"), expecting: 200)
        guard let list = ChannelList(json: answer.body) else {
            throw .unexpectedAnswer("the body is no list of channels")
        }
        return list.channels
    }

    /// Deletes a channel, for ever; broadcasts on their way may still arrive.
    public func deleteChannel(_ channel: ChannelID, bundleID: String) async throws(Failure) {
        _ = try await call(
            management, "DELETE", try Self.path("/1/apps/", bundleID, "/channels"), channel: channel,
            expecting: 204)
    }

    // MARK: Publishing

    /// Sends a Live Activity update or end to every device that follows a channel.
    ///
    /// - Parameters:
    ///   - payload: encoded JSON, at most 5 KB.
    ///   - channel: of the app.
    ///   - bundleID: without a push type's suffix.
    ///   - priority: 10 at once, 5 and 1 when it costs little.
    ///   - expiration: `never` on a channel that stores nothing.
    /// - Returns: the id APNs knows the request by.
    @discardableResult
    public func publish(
        _ payload: [UInt8], on channel: ChannelID, bundleID: String, priority: Priority = .high,
        expiration: Expiration = .never
    ) async throws(Failure) -> NotificationID? {
        let answer = try await call(
            publishing, "POST", try Self.path("/4/broadcasts/apps/", bundleID, ""), channel: channel,
            fields: [
                (name: "apns-push-type", value: "liveactivity"),
                (name: "apns-priority", value: String(priority.rawValue)),
                (name: "apns-expiration", value: String(expiration.headerValue ?? 0)),
            ], body: payload, expecting: 200)
        return Self.requestID(answer)
    }

    // MARK: Calls

    private func call(
        _ client: HTTP2RequestClient, _ method: String, _ path: String, channel: ChannelID? = nil,
        fields: [(name: String, value: String)] = [], body: [UInt8] = [], expecting status: Int
    ) async throws(Failure) -> HTTP2Response {
        var request = HTTP2Request(method: method, path: path, fields: fields, body: body)
        if let channel { request.fields.append((name: "apns-channel-id", value: channel.rawValue)) }
        guard case .token(let source) = credential else {
            return try Self.check(try await Self.send(request, client), expecting: status)
        }
        let token = try Self.token(source)
        let answer = try await Self.send(request, client, token: token)
        guard Self.reason(answer) == .expiredProviderToken, source.expired(issuedAt: token.issuedAt) else {
            return try Self.check(answer, expecting: status)
        }
        // APNs keeps refusing on a connection whose token it has called stale.
        client.replaceConnection()
        let second = try await Self.send(request, client, token: try Self.token(source))
        return try Self.check(second, expecting: status)
    }

    private static func token(_ source: ProviderTokenSource) throws(Failure) -> ProviderTokenSource.Token {
        do {
            return try source.current()
        } catch {
            throw .credential(error.message)
        }
    }

    private static func send(
        _ request: HTTP2Request, _ client: HTTP2RequestClient, token: ProviderTokenSource.Token? = nil
    ) async throws(Failure) -> HTTP2Response {
        var request = request
        if let token {
            request.fields.append(
                (name: "authorization", value: String(decoding: token.authorization, as: UTF8.self)))
        }
        do {
            return try await client.send(request)
        } catch {
            throw .transport(error)
        }
    }

    private static func reason(_ answer: HTTP2Response) -> Reason {
        ErrorBody(json: answer.body)?.reason ?? Reason("HTTP \(answer.status)")
    }

    private static func check(
        _ answer: HTTP2Response, expecting status: Int
    ) throws(Failure) -> HTTP2Response {
        guard answer.status == status else {
            throw .rejected(
                Rejection(status: answer.status, reason: reason(answer), requestID: requestID(answer)))
        }
        return answer
    }

    /// A bundle id is checked before it becomes part of a path.
    private static func path(
        _ start: String, _ bundleID: String, _ end: String
    ) throws(Failure) -> String {
        guard (try? Topic(bundleID)) != nil else { throw .invalidBundleID(String(bundleID.prefix(100))) }
        return start + bundleID + end
    }

    private static func requestID(_ answer: HTTP2Response) -> NotificationID? {
        answer.fields.first(named: "apns-request-id").flatMap { NotificationID($0) }
    }

    private static func client(
        _ endpoint: Endpoint, _ credential: Credential, _ proxy: HTTPProxy?, _ loop: EventLoop
    ) throws(Failure) -> HTTP2RequestClient {
        var identity: Identity?
        if case .certificate(let own) = credential { identity = own }
        do {
            let tls = try TLSContext.client(
                trust: endpoint.trust, identity: identity, applicationProtocols: ["h2"])
            return HTTP2RequestClient(
                connector: HTTP2Connector(
                    host: endpoint.host, port: endpoint.port, tls: tls, proxy: proxy),
                loop: loop)
        } catch {
            throw .credential(error.message)
        }
    }
}
