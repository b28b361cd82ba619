@testable import Transport

/// A client's and a server's session that hand each other bytes in memory.
final class SessionPair {
    /// How bytes are cut on their way.
    enum Cut: CaseIterable, Sendable {
        /// As the sender made them.
        case whole
        case byteByByte
        /// Everything of both directions gathered before it is handed over.
        case merged
    }

    let client: HTTP2Session
    let server: HTTP2Session
    let cut: Cut
    /// Runs on the server with what came; answers by default.
    var serve: (HTTP2Session, HTTP2Session.Events) -> Void = { session, events in
        for stream in events.streams { SessionPair.echo(stream, session) }
    }
    /// What the client's streams ended with: tag to status, body and error.
    private(set) var answers: [Int: Answer] = [:]
    private(set) var goAways: [HTTP2Session.GoAway] = []
    private(set) var settingsReceived = 0
    private(set) var abandonedOnServer: [Int32] = []

    struct Answer: Equatable {
        var status: String?
        var body: [UInt8]
        var errorCode: HTTP2ErrorCode
    }

    init(
        cut: Cut = .whole, client: HTTP2Settings = HTTP2Settings(), server: HTTP2Settings = HTTP2Settings()
    ) throws {
        self.cut = cut
        self.client = try HTTP2Session(role: .client, settings: client, nowMilliseconds: 0)
        self.server = try HTTP2Session(role: .server, settings: server, nowMilliseconds: 0)
    }

    /// Opens a POST; nil when the session takes no more.
    @discardableResult
    func request(_ tag: Int, body: [UInt8] = [], extra: [(String, String)] = []) -> HTTP2Stream? {
        client.submitRequest(fields: Self.requestFields(path: "/\(tag)", extra: extra), body: body, tag: tag)
    }

    /// Hands bytes over until neither side has any.
    func pump() throws {
        while true {
            let up = try Self.output(of: client)
            let down = cut == .merged ? [] : try Self.output(of: server)
            if up.isEmpty, down.isEmpty { break }
            try deliver(up, to: server)
            takeServerEvents()
            let answer = try Self.output(of: server)
            try deliver(down + answer, to: client)
            takeClientEvents()
        }
    }

    func takeServerEvents() {
        while server.hasEvents {
            let events = server.takeEvents()
            abandonedOnServer += events.abandoned.map(\.id)
            serve(server, events)
            server.recycle(events)
        }
    }

    func takeClientEvents() {
        while client.hasEvents {
            let events = client.takeEvents()
            if events.receivedSettings { settingsReceived += 1 }
            goAways += events.goAways
            for stream in events.streams {
                precondition(answers[stream.tag] == nil, "stream \(stream.tag) ended twice")
                answers[stream.tag] = Answer(
                    status: stream.fields.first(named: ":status"), body: stream.body,
                    errorCode: stream.errorCode)
            }
            client.recycle(events)
        }
    }

    func deliver(_ bytes: [UInt8], to session: HTTP2Session) throws {
        switch cut {
        case .whole, .merged:
            try bytes.withUnsafeBytes { try session.receive($0) }
        case .byteByByte:
            for byte in bytes { try withUnsafeBytes(of: byte) { try session.receive($0) } }
        }
    }

    static func output(of session: HTTP2Session) throws -> [UInt8] {
        let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 16)
        defer { scratch.deallocate() }
        var bytes: [UInt8] = []
        try session.produce(into: scratch, write: { bytes += $0 })
        return bytes
    }

    static func requestFields(path: String, extra: [(String, String)] = []) -> HTTP2Fields {
        var fields = HTTP2Fields()
        fields.append(name: ":method", value: "POST")
        fields.append(name: ":scheme", value: "https")
        fields.append(name: ":authority", value: "localhost")
        fields.append(name: ":path", value: path)
        for (name, value) in extra { fields.append(name: name, value: value) }
        return fields
    }

    static func echo(_ stream: HTTP2Stream, _ session: HTTP2Session) {
        var fields = HTTP2Fields()
        fields.append(name: ":status", value: "200")
        session.submitResponse(to: stream, fields: fields, body: stream.body)
    }
}
