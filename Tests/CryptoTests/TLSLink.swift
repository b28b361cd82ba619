import Crypto

/// A client and a server session, and the wire between them.
final class TLSLink {
    let client: TLSSession
    let server: TLSSession
    /// How many bytes travel at a time.
    var chunkByteCount = Int.max
    /// Bytes that went over the wire, both ways.
    private(set) var transferredByteCount = 0

    init(client: TLSSession, server: TLSSession) {
        self.client = client
        self.server = server
    }

    convenience init(
        _ fixtures: TLSFixtures,
        serverName: String = "localhost",
        trust: TLSContext.Trust? = nil,
        identity: Identity? = nil,
        serverIdentity: Identity? = nil,
        clientCertificates: TLSContext.ClientCertificates = .none,
        clientProtocols: [String] = ["h2"],
        serverProtocols: [String] = ["h2"]
    ) throws {
        let clientContext = try TLSContext.client(
            trust: trust ?? .certificates([fixtures.authority.certificate]), identity: identity,
            applicationProtocols: clientProtocols)
        let serverContext = try TLSContext.server(
            identity: serverIdentity ?? fixtures.server, clientCertificates: clientCertificates,
            applicationProtocols: serverProtocols)
        self.init(
            client: try TLSSession(client: clientContext, serverName: serverName),
            server: try TLSSession(server: serverContext))
    }

    /// The outcomes of both sides once nothing moves any more.
    func handshake() throws -> (client: TLSSession.Progress, server: TLSSession.Progress) {
        var progress = (client: client.handshake(), server: server.handshake())
        while try moveBytes() {
            progress = (client.handshake(), server.handshake())
        }
        return progress
    }

    /// Carries each side's output to the other; false if there was none.
    @discardableResult
    func moveBytes() throws -> Bool {
        let toServer = try move(from: client, to: server)
        let toClient = try move(from: server, to: client)
        return toServer || toClient
    }

    func move(from source: TLSSession, to target: TLSSession) throws -> Bool {
        guard source.pendingOutputByteCount > 0 else { return false }
        var bytes = [UInt8](repeating: 0, count: min(chunkByteCount, source.pendingOutputByteCount))
        let count = bytes.withUnsafeMutableBytes { source.takeOutput(into: $0) }
        transferredByteCount += count
        try bytes[..<count].withUnsafeBytes { try target.receive($0) }
        return true
    }
}

extension TLSSession {
    func write(_ bytes: [UInt8]) throws {
        try bytes.withUnsafeBytes { try write($0) }
    }

    func receive(_ bytes: [UInt8]) throws {
        try bytes.withUnsafeBytes { try receive($0) }
    }

    /// Reads until more input is needed; the result that ended it.
    func readAll(bufferByteCount: Int = 65536) -> (bytes: [UInt8], end: ReadResult) {
        var all: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: bufferByteCount)
        while true {
            let result = buffer.withUnsafeMutableBytes { read(into: $0) }
            guard case .bytes(let count) = result else { return (all, result) }
            all += buffer[..<count]
        }
    }

    /// Takes all the output.
    func output() -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: pendingOutputByteCount)
        let count = bytes.withUnsafeMutableBytes { takeOutput(into: $0) }
        return Array(bytes[..<count])
    }
}

extension TLSSession.Progress {
    var error: CryptoError? {
        if case .failed(let error) = self { error } else { nil }
    }

    var isEstablished: Bool {
        if case .established = self { true } else { false }
    }
}

extension TLSSession.ReadResult {
    var error: CryptoError? {
        if case .failed(let error) = self { error } else { nil }
    }

    var isClosed: Bool {
        if case .closed = self { true } else { false }
    }

    var needsInput: Bool {
        if case .needsInput = self { true } else { false }
    }
}
