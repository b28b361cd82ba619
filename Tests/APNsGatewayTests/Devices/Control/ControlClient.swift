import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A plain HTTP/1.1 client on a blocking socket; each call runs on a thread of its own.
///
/// `@unchecked Sendable`: a test uses a client from one task at a time, and each call waits for its own end.
final class ControlClient: @unchecked Sendable {
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    struct Event: Equatable {
        var id: String?
        var name: String?
        var data = ""
    }

    private let descriptor: Int32
    private var buffer: [UInt8] = []

    init(port: UInt16, receiveBufferByteCount: Int32? = nil) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        if var count = receiveBufferByteCount {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &count, socklen_t(MemoryLayout<Int32>.size))
        }
        var timeout = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw Failure(description: "connect failed: \(errno)") }
    }

    deinit { close(descriptor) }

    /// Sends a request and reads its answer's head; the body follows in `body` or `nextEvent`.
    func send(
        _ method: String, _ path: String, _ body: String = "", headers: [String: String] = [:]
    ) async throws -> (status: Int, head: String) {
        try await outsidePool { [self] in
            var text =
                "\(method) \(path) HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(body.utf8.count)\r\n"
            for (name, value) in headers { text += "\(name): \(value)\r\n" }
            try write(text + "\r\n" + body)
            let head = try readLine(until: "\r\n\r\n")
            guard let status = Int(head.split(separator: " ")[1]) else { throw Failure(description: head) }
            return (status, head)
        }
    }

    /// Sends a request and reads the whole answer.
    func request(
        _ method: String, _ path: String, _ body: String = ""
    ) async throws -> (status: Int, body: String) {
        let (status, head) = try await send(method, path, body)
        let length =
            head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("content-length:") }
            .flatMap { Int($0.split(separator: ":")[1].drop { $0 == " " }) } ?? 0
        return try await outsidePool { [self] in
            while buffer.count < length { try fill() }
            let text = String(decoding: buffer[..<length], as: UTF8.self)
            buffer.removeFirst(length)
            return (status, text)
        }
    }

    /// Reads the next event of a stream; comments are skipped. Chunk sizes are lines of their own.
    func nextEvent() async throws -> Event {
        try await outsidePool { [self] in
            var event = Event()
            while true {
                let line = try readLine(until: "\n").trimmingSuffix("\r")
                if line.hasPrefix("id: ") {
                    event.id = String(line.dropFirst(4))
                } else if line.hasPrefix("event: ") {
                    event.name = String(line.dropFirst(7))
                } else if line.hasPrefix("data: ") {
                    event.data += line.dropFirst(6)
                } else if line.isEmpty, event != Event() {
                    return event
                }
            }
        }
    }

    /// Whether the server ends the stream within the time limit of a read.
    func isEnded() async throws -> Bool {
        try await outsidePool { [self] in
            var chunk = [UInt8](repeating: 0, count: 4096)
            while true {
                let count = recv(descriptor, &chunk, chunk.count, 0)
                if count <= 0 { return count == 0 }
                if String(decoding: chunk[..<count], as: UTF8.self).hasSuffix("0\r\n\r\n") { return true }
            }
        }
    }

    private func outsidePool<Success: Sendable>(
        _ body: @escaping @Sendable () throws -> Success
    ) async throws -> Success {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
        }
    }

    private func write(_ text: String) throws {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw Failure(description: "send failed: \(errno)") }
            rest = rest.dropFirst(count)
        }
    }

    private func readLine(until end: String) throws -> String {
        let end = Array(end.utf8)
        while true {
            // memchr: the generic search takes seconds for large events in a debug build. The ends of lines and
            // heads are found by their last byte.
            let offset = buffer.withUnsafeBytes { all -> Int? in
                var start = 0
                while let base = all.baseAddress, start < all.count,
                    let found = memchr(base + start, Int32(end[end.count - 1]), all.count - start)
                {
                    let last = UnsafeRawPointer(found) - base
                    let first = last - end.count + 1
                    if first >= 0, all[first...last].elementsEqual(end) { return first }
                    start = last + 1
                }
                return nil
            }
            if let offset {
                let text = String(decoding: buffer[..<offset], as: UTF8.self)
                buffer.removeSubrange(..<(offset + end.count))
                return text
            }
            try fill()
        }
    }

    private func fill() throws {
        var chunk = [UInt8](repeating: 0, count: 16_384)
        let count = recv(descriptor, &chunk, chunk.count, 0)
        guard count > 0 else {
            throw Failure(description: count == 0 ? "the stream ended" : "recv failed: \(errno)")
        }
        buffer += chunk[..<count]
    }
}

extension String {
    fileprivate func trimmingSuffix(_ suffix: Character) -> String {
        last == suffix ? String(dropLast()) : self
    }
}
