import Crypto
import Glibc
import Testing

@testable import Transport

/// A client that writes any bytes it likes over TLS, on the calling thread; use it inside `offPool`.
final class RawTLSClient {
    let wire: WireClient
    private let tls: TLSSession
    private(set) var received: [UInt8] = []

    /// - Parameter receiveBufferByteCount: small, for a client that reads slowly.
    init(port: Int, receiveBufferByteCount: Int32? = nil, context: TLSContext? = nil) throws {
        wire = try WireClient(port: UInt16(port), receiveBufferByteCount: receiveBufferByteCount)
        tls = try TLSSession(client: try context ?? LoopbackTrust.clientContext(), serverName: "localhost")
    }

    /// TLS, the preface and empty SETTINGS, which the server's are acknowledged with.
    func begin(settings: [UInt8] = []) throws {
        try handshake()
        try send(
            RawFrames.preface + RawFrames.frame(.settings, settings)
                + RawFrames.frame(.settings, flags: RawFrames.acknowledged))
    }

    func handshake() throws {
        while true {
            let progress = tls.handshake()
            try flush()
            switch progress {
            case .established: return
            case .failed(let error): throw error
            case .needsInput:
                guard try receive() else { throw WireClient.Failure(description: "closed in the handshake") }
            }
        }
    }

    func send(_ plain: [UInt8]) throws {
        try plain.withUnsafeBytes { try tls.write($0) }
        try flush()
    }

    /// Reads until the server closes, in order or not; the frames that came.
    @discardableResult
    func readToEnd() -> [(kind: UInt8, flags: UInt8, stream: UInt32, payload: [UInt8])] {
        while (try? readOnce()) == true {}
        return RawFrames.parse(received)
    }

    /// Reads until a frame of a kind is there; nil when the server closes first.
    func read(until kind: RawFrames.Kind, stream: UInt32? = nil) throws -> [UInt8]? {
        while true {
            let found = RawFrames.parse(received).last {
                $0.kind == kind.rawValue && (stream == nil || $0.stream == stream)
            }
            if let found { return found.payload }
            guard try readOnce() else { return nil }
        }
    }

    private func readOnce() throws -> Bool {
        guard try receive() else { return false }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 65536, alignment: 16)
        defer { buffer.deallocate() }
        while true {
            switch tls.read(into: buffer) {
            case .bytes(let count): received += buffer[..<count]
            case .needsInput: return true
            case .closed, .failed: return false
            }
        }
    }

    private func receive() throws -> Bool {
        var chunk = [UInt8](repeating: 0, count: 65536)
        let count = recv(wire.socket, &chunk, chunk.count, 0)
        guard count >= 0 else {
            throw WireClient.Failure(description: "recv: \(String(cString: strerror(errno)))")
        }
        try chunk[..<count].withUnsafeBytes { try tls.receive($0) }
        return count > 0
    }

    private func flush() throws {
        let output = Array(tls.pendingOutput)
        tls.dropOutput(output.count)
        try wire.send(output)
    }
}
