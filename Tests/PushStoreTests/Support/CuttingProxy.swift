import Foundation
import Synchronization
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Passes connections on to a PostgreSQL server, and cuts one when the server says that a transaction is kept.
///
/// The server has kept it by then, and whoever asked for it does not hear of that.
final class CuttingProxy: Sendable {
    private struct State {
        /// How many transactions are still to be kept until one is cut.
        var remainingCount: Int?
        var cutCount = 0
        var descriptors: Set<Int32> = []
        var isClosed = false
    }

    /// The tag of the server's answer to COMMIT, with the byte that ends it.
    private static let tag = Array("COMMIT\0".utf8)

    let port: UInt16
    private let listener: Int32
    private let serverPort: UInt16
    private let state = Mutex(State())

    /// Listens on a port of the loopback address that is free.
    init(serverPort: UInt16) throws {
        self.serverPort = serverPort
        listener = try Self.socket()
        var address = Self.loopback(port: 0)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = listener
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                guard bind(descriptor, pointer, size) == 0, listen(descriptor, 64) == 0 else {
                    return Int32(-1)
                }
                return getsockname(descriptor, pointer, &size)
            }
        }
        try #require(result == 0)
        port = UInt16(bigEndian: address.sin_port)
        Thread.detachNewThread { [self] in acceptAll() }
    }

    /// Cuts the connection on which the next transaction is kept, or the one after so many others.
    func cutNextCommit(after otherCount: Int = 0) { state.withLock { $0.remainingCount = otherCount } }

    /// How many connections were cut.
    var cutCount: Int { state.withLock { $0.cutCount } }

    /// Ends all connections.
    func close() {
        let descriptors = state.withLock { state in
            state.isClosed = true
            return state.descriptors
        }
        for descriptor in descriptors { shutdown(descriptor, Int32(SHUT_RDWR)) }
        shutdown(listener, Int32(SHUT_RDWR))
    }

    private static func socket() throws -> Int32 {
        #if canImport(Glibc)
        let descriptor = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
        let descriptor = Darwin.socket(AF_INET, SOCK_STREAM, 0)
        #endif
        try #require(descriptor >= 0)
        return descriptor
    }

    private static func loopback(port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        address.sin_port = port.bigEndian
        return address
    }

    private func acceptAll() {
        while true {
            let client = accept(listener, nil, nil)
            guard client >= 0 else { break }
            guard let server = connectToServer() else {
                _ = systemClose(client)
                continue
            }
            let isOpen = state.withLock { state in
                state.descriptors.formUnion([client, server])
                return !state.isClosed
            }
            if !isOpen { end(client, server) }
            // Each direction has a thread; the last one to end closes both.
            let pair = Pair(client, server)
            Thread.detachNewThread { [self] in pump(pair, from: client, to: server, isAnswer: false) }
            Thread.detachNewThread { [self] in pump(pair, from: server, to: client, isAnswer: true) }
        }
        _ = systemClose(listener)
    }

    private func connectToServer() -> Int32? {
        guard let descriptor = try? Self.socket() else { return nil }
        var address = Self.loopback(port: serverPort)
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                connect(descriptor, pointer, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else {
            _ = systemClose(descriptor)
            return nil
        }
        return descriptor
    }

    /// The two ends of a connection.
    private final class Pair: Sendable {
        let ends: [Int32]
        let openCount = Mutex(2)

        init(_ one: Int32, _ other: Int32) { ends = [one, other] }
    }

    private func pump(_ pair: Pair, from source: Int32, to target: Int32, isAnswer: Bool) {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(source, &buffer, buffer.count)
            guard count > 0 else { break }
            if isAnswer, isToBeCut(buffer[..<count]) { break }
            var sent = 0
            while sent < count {
                let written = buffer[sent..<count].withUnsafeBytes {
                    // A peer that has gone must not end the tests with SIGPIPE.
                    send(target, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard written > 0 else { break }
                sent += written
            }
            guard sent == count else { break }
        }
        end(source, target)
        let isLast = pair.openCount.withLock { count in
            count -= 1
            return count == 0
        }
        guard isLast else { return }
        state.withLock { $0.descriptors.subtract(pair.ends) }
        for descriptor in pair.ends { _ = systemClose(descriptor) }
    }

    private func isToBeCut(_ answer: ArraySlice<UInt8>) -> Bool {
        guard answer.contains(Self.tag) else { return false }
        return state.withLock { state in
            guard let remainingCount = state.remainingCount else { return false }
            guard remainingCount == 0 else {
                state.remainingCount = remainingCount - 1
                return false
            }
            state.remainingCount = nil
            state.cutCount += 1
            return true
        }
    }

    private func end(_ descriptors: Int32...) {
        for descriptor in descriptors { shutdown(descriptor, Int32(SHUT_RDWR)) }
    }

    private func systemClose(_ descriptor: Int32) -> Int32 {
        #if canImport(Glibc)
        Glibc.close(descriptor)
        #else
        Darwin.close(descriptor)
        #endif
    }
}
