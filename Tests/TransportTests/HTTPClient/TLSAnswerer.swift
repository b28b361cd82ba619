import Crypto
import Glibc
import Testing

@testable import Transport

/// Answers one request after another over TLS with the same bytes; one thread, closed with its last reference.
final class TLSAnswerer: Sendable {
    private let socket: Int32
    let port: UInt16

    init(answer: String, hostNames: [String] = ["localhost"]) throws {
        let identity = try LoopbackTrust.authority.issueServerIdentity(
            hostNames: hostNames, validity: .days(1, from: WallClock.system.secondsSince1970))
        let context = try TLSContext.server(
            identity: identity, clientCertificates: .none, applicationProtocols: ["http/1.1"])
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(socket, address, length) == 0 && listen(socket, 8) == 0
                    && getsockname(socket, address, &length) == 0
            }
        }
        try #require(status)
        port = UInt16(bigEndian: address.sin_port)
        self.socket = socket
        try OwnedThread.start(name: "test-tls") {
            while true {
                let connection = accept(socket, nil, nil)
                guard connection >= 0 else { return }
                try? Self.serve(connection, context, answer)
                Glibc.close(connection)
            }
        }
    }

    deinit {
        Glibc.shutdown(socket, Int32(SHUT_RDWR))
        Glibc.close(socket)
    }

    private static func serve(_ connection: Int32, _ context: TLSContext, _ answer: String) throws {
        let tls = try TLSSession(server: context)
        func flush() {
            let output = Array(tls.pendingOutput)
            tls.dropOutput(output.count)
            _ = send(connection, output, output.count, Int32(MSG_NOSIGNAL))
        }
        func receive() throws -> Bool {
            var chunk = [UInt8](repeating: 0, count: 16_384)
            let count = recv(connection, &chunk, chunk.count, 0)
            guard count > 0 else { return false }
            try chunk[..<count].withUnsafeBytes { try tls.receive($0) }
            return true
        }
        handshake: while true {
            let progress = tls.handshake()
            flush()
            switch progress {
            case .established: break handshake
            case .failed: return
            case .needsInput: guard try receive() else { return }
            }
        }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 16_384, alignment: 16)
        defer { buffer.deallocate() }
        while true {
            guard case .bytes = tls.read(into: buffer) else {
                guard try receive() else { return }
                continue
            }
            try Array(answer.utf8).withUnsafeBytes { try tls.write($0) }
            flush()
        }
    }
}
