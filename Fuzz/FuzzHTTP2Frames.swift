import APNs
@testable import APNsGateway
@testable import Transport

/// HTTP/2 frames into the gateway's protocol engine and validator, and into a client's engine.
///
/// The first byte chooses the role, how the rest is read and how it is cut.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzHTTP2Frames(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: data, count: count))
    guard let mode = input.first else { return 0 }
    let bytes = mode & 2 == 0 ? Array(input.dropFirst()) : frames(input.dropFirst())
    let cut = mode & 4 == 0 ? Int.max : 1 + Int(mode >> 4)
    if mode & 1 == 0 {
        ServerUnderTest(holdsAnswers: mode & 8 != 0).run(bytes, cut: cut)
    } else {
        ClientUnderTest().run(bytes, cut: cut)
    }
    return 0
}

/// Reads kind, flags, stream and length of a payload again and again, so that frames are well formed more
/// often than chance would have it.
private func frames(_ input: ArraySlice<UInt8>) -> [UInt8] {
    var rest = input
    var bytes: [UInt8] = []
    while rest.count >= 4 {
        let head = Array(rest.prefix(4))
        let payload = rest.dropFirst(4).prefix(Int(head[3]))
        bytes += [0, 0, UInt8(payload.count), head[0] % 11, head[1], 0, 0, 0, head[2]] + payload
        rest = rest.dropFirst(4 + payload.count)
    }
    return bytes
}

private func check(_ condition: Bool, _ message: @autoclosure () -> String) {
    if !condition { fatalError(message()) }
}

private func feed(_ bytes: [UInt8], cut: Int, into session: HTTP2Session, then look: () -> Void) {
    var rest = bytes[...]
    while !rest.isEmpty, !session.isFlooded {
        let piece = Array(rest.prefix(cut))
        rest = rest.dropFirst(piece.count)
        do { try piece.withUnsafeBytes { try session.receive($0) } } catch { return look() }
        look()
    }
}

// libFuzzer calls on one thread.
nonisolated(unsafe) private let scratch = UnsafeMutableRawBufferPointer.allocate(
    byteCount: 64 * 1024, alignment: 16)

/// What is sent has to be frames of allowed sizes.
private func checkOutput(of session: HTTP2Session) {
    var output: [UInt8] = []
    do { try session.produce(into: scratch, write: { output += $0 }) } catch { return }
    var offset = 0
    if session.role == .client, output.starts(with: Array("PRI * HTTP/2.0".utf8)) { offset = 24 }
    while output.count - offset >= 9 {
        let count = Int(output[offset]) << 16 | Int(output[offset + 1]) << 8 | Int(output[offset + 2])
        check(count <= 16_384, "a frame of \(count) bytes is sent")
        offset += 9 + count
    }
    check(offset == output.count, "half a frame is sent")
}

/// A gateway's connection without its socket: engine, validator, and answers.
private final class ServerUnderTest {
    private let session: HTTP2Session
    private let holdsAnswers: Bool
    private let validator: RequestValidator
    private let channels: ChannelValidator
    private let bodies: RejectionBodies
    private var machine: ConnectionMachine
    private var held: [HTTP2Stream] = []
    private var seen: Set<Int32> = []

    private static let settings = HTTP2Settings(
        maxConcurrentStreams: 20, headerListByteCountMax: 1000, bodyByteCountMax: 512,
        bodyByteCountCutOff: 2000)
    private static let now: Int64 = 1_760_000_000_000

    init(holdsAnswers: Bool) {
        guard let session = try? HTTP2Session(role: .server, settings: Self.settings, nowMilliseconds: 0)
        else {
            fatalError("no session")
        }
        self.session = session
        self.holdsAnswers = holdsAnswers
        let policy = GatewayPolicy()
        let verifier = ProviderTokenVerifier(isOpen: true, policy: policy.providerTokens)
        validator = RequestValidator(environment: .sandbox, policy: policy.requests, verifier: verifier)
        channels = ChannelValidator(environment: .sandbox, policy: policy, verifier: verifier)
        bodies = RejectionBodies(policy: policy)
        machine = ConnectionMachine(
            credential: .providerToken, environment: .sandbox, policy: policy, seed: 1,
            nowMilliseconds: Self.now)
    }

    func run(_ bytes: [UInt8], cut: Int) {
        let greeting = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + [0, 0, 0, 4, 0, 0, 0, 0, 0]
        feed(greeting, cut: .max, into: session) { look() }
        feed(bytes, cut: cut, into: session) { look() }
        answerHeld()
        checkOutput(of: session)
        session.abandonOpenStreams(errorCode: .connectError)
        look()
        check(session.open.isEmpty, "streams stay open after the end")
    }

    private func look() {
        let events = session.takeEvents()
        for stream in events.streams {
            check(stream.isComplete, "a request is delivered before its end")
            check(seen.insert(stream.id).inserted, "stream \(stream.id) is delivered twice")
            check(stream.body.count <= Self.settings.bodyByteCountMax, "a body above the limit is kept")
            check(stream.body.count <= stream.bodyByteCount, "more is kept than came")
            check(
                stream.fields.listByteCount <= Self.settings.headerListByteCountMax,
                "fields above the limit are kept")
            if holdsAnswers, !stream.isClosed { held.append(stream) } else { answer(stream) }
        }
        for stream in events.abandoned {
            check(stream.isClosed, "a stream is given up and open")
            held.removeAll { $0 === stream }
        }
        check(session.open.count <= 20, "\(session.open.count) streams are open")
        session.recycle(events)
        if held.count > 5 { answerHeld() }
        checkOutput(of: session)
    }

    private func answerHeld() {
        for stream in held { answer(stream) }
        held = []
    }

    private func answer(_ stream: HTTP2Stream) {
        var fields = HTTP2Fields()
        var body: [UInt8] = []
        stream.fields.withUnsafeFields { source in
            let head = RequestHead(source)
            let route = Route(path: head.path)
            stream.body.withUnsafeBytes { bytes in
                switch route {
                case .device, .unknown:
                    let verdict = validator.verdict(
                        on: head, route: route, body: bytes, bodyByteCount: stream.bodyByteCount,
                        connection: &machine, directory: EmptyTokenDirectory(), fault: nil,
                        nowMilliseconds: Self.now)
                    check((200..<600).contains(verdict.status), "status \(verdict.status)")
                    fields.append(name: ":status", value: Array(String(verdict.status).utf8))
                    fields.append(name: "apns-id") { verdict.responseID.append(to: &$0) }
                    body = verdict.rejection.map { bodies.body(of: $0) } ?? []
                    _ = machine.completed(verdict.rejection, nowMilliseconds: Self.now)
                case .broadcast, .channels, .allChannels:
                    let verdict = channels.verdict(
                        on: head, route: route, body: bytes, bodyByteCount: stream.bodyByteCount,
                        connection: &machine, directory: NoChannels(), fault: nil, nowMilliseconds: Self.now)
                    fields.append(name: ":status", value: Array("400".utf8))
                    body = verdict.rejection.map { bodies.body(of: $0) } ?? []
                }
            }
        }
        session.submitResponse(to: stream, fields: fields, body: body)
    }
}

/// A client with open requests: each has to end once, whatever the server says.
private final class ClientUnderTest {
    private let session: HTTP2Session
    private var ended: [Int: Int] = [:]
    private var opened = 0
    private var isOver = false

    init() {
        let settings = HTTP2Settings(bodyByteCountMax: 512)
        guard let session = try? HTTP2Session(role: .client, settings: settings, nowMilliseconds: 0) else {
            fatalError("no session")
        }
        self.session = session
    }

    func run(_ bytes: [UInt8], cut: Int) {
        open(4)
        checkOutput(of: session)
        open(2)
        feed([0, 0, 0, 4, 0, 0, 0, 0, 0], cut: .max, into: session) { look() }
        feed(bytes, cut: cut, into: session) { look() }
        isOver = true
        session.abandonOpenStreams(errorCode: .connectError)
        look()
        check(session.open.isEmpty, "streams stay open after the end")
        check(ended.count == opened, "\(opened) were opened and \(ended.count) ended")
        check(ended.values.allSatisfy { $0 == 1 }, "a stream ended twice")
    }

    private func open(_ count: Int) {
        for _ in 0..<count where session.mayOpenStreams {
            var fields = HTTP2Fields()
            fields.append(name: ":method", value: "POST" as StaticString)
            fields.append(name: ":scheme", value: "https" as StaticString)
            fields.append(name: ":authority", value: "a" as StaticString)
            fields.append(name: ":path", value: "/" as StaticString)
            let body = [UInt8](repeating: 1, count: opened * 100)
            if session.submitRequest(fields: fields, body: body, tag: opened) != nil { opened += 1 }
        }
    }

    private func look() {
        let events = session.takeEvents()
        for stream in events.streams {
            check(stream.isClosed, "a stream is reported and open")
            check(stream.body.count <= 512, "a body above the limit is kept")
            ended[stream.tag, default: 0] += 1
        }
        session.recycle(events)
        if !isOver, opened < 12, !events.streams.isEmpty { open(1) }
        checkOutput(of: session)
        let more = session.takeEvents()
        for stream in more.streams { ended[stream.tag, default: 0] += 1 }
        session.recycle(more)
    }
}

// The gateway's own conformance lies beside its sockets, which are left out here.
extension UnsafeHTTP2Fields: HeaderFieldSource {
    package func forEachField(
        _ body: (_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> Void
    ) {
        forEach(body)
    }
}

private struct NoChannels: ChannelDirectory {
    func isBroadcastEnabled(bundleID: String, environment: Environment) -> Bool { true }
    func channelCount(bundleID: String, environment: Environment) -> Int { 0 }
    func configuration(
        of channel: ChannelID, bundleID: String, environment: Environment
    ) -> ChannelConfiguration? { nil }
}
