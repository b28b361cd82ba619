import Foundation
import Glibc
import Synchronization
import Testing

@testable import Transport

/// The tests that talk to a server over sockets, one at a time: some measure time, and some leave no
/// processor to others.
@Suite(.serialized)
enum HTTP1Sockets {}

/// A TCP client that writes and reads bytes, on the calling thread.
///
/// It blocks: use it inside `offPool`, for the server's handlers need Swift's pool.
// @unchecked: a test uses its client from one thread at a time.
final class WireClient: @unchecked Sendable {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    let socket: Int32
    private var buffer: [UInt8] = []
    private var isOpen = true

    init(port: UInt16, host: String = "127.0.0.1", receiveBufferByteCount: Int32? = nil) throws {
        let address = try #require(SocketAddress(literal: host, port: Int(port)))
        let isIPv6 = host.contains(":")
        socket = Glibc.socket(isIPv6 ? AF_INET6 : AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        if var count = receiveBufferByteCount {
            setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &count, 4)
        }
        var timeout = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        let size = socklen_t(isIPv6 ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size)
        guard address.withPointer({ connect(socket, $0, size) }) == 0 else {
            throw Failure(description: "connect: \(String(cString: strerror(errno)))")
        }
    }

    deinit { close() }

    func close() {
        if isOpen { Glibc.close(socket) }
        isOpen = false
    }

    func send(_ text: String) throws { try send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) throws {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes { all in
                Glibc.send(socket, all.baseAddress! + sent, bytes.count - sent, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw Failure(description: "send: \(String(cString: strerror(errno)))") }
            sent += count
        }
    }

    /// Sends FIN and keeps reading.
    func finishSending() { shutdown(socket, Int32(SHUT_WR)) }

    /// Makes the close send RST.
    func closeWithReset() {
        var linger = Glibc.linger(l_onoff: 1, l_linger: 0)
        setsockopt(socket, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Glibc.linger>.size))
    }

    /// Reads once; false at the end of the stream.
    private func fill() throws -> Bool {
        var chunk = [UInt8](repeating: 0, count: 65536)
        let count = recv(socket, &chunk, chunk.count, 0)
        if count < 0 { throw Failure(description: "recv: \(String(cString: strerror(errno)))") }
        buffer.append(contentsOf: chunk[..<count])
        return count > 0
    }

    /// Everything up to the end of the stream; a reset ends it too.
    func readToEnd() -> [UInt8] {
        while (try? fill()) == true {}
        defer { buffer = [] }
        return buffer
    }

    /// Whether the server closes the connection without a further byte.
    func isClosed() -> Bool {
        guard buffer.isEmpty else { return false }
        do { return try !fill() } catch { return "\(error)".contains("reset") }
    }

    func read(count: Int) throws -> [UInt8] {
        while buffer.count < count {
            guard try fill() else {
                throw Failure(description: "closed with \(buffer.count) of \(count) bytes")
            }
        }
        defer { buffer.removeFirst(count) }
        return Array(buffer[..<count])
    }

    func read(through mark: String) throws -> String {
        let mark = Array(mark.utf8)
        var searched = 0
        while true {
            var start = searched
            while start + mark.count <= buffer.count {
                if buffer[start] == mark[0], buffer[start..<(start + mark.count)].elementsEqual(mark) {
                    return String(decoding: try read(count: start + mark.count), as: UTF8.self)
                }
                start += 1
            }
            searched = start
            guard try fill() else {
                throw Failure(description: "closed after \(String(decoding: buffer, as: UTF8.self))")
            }
        }
    }

    /// Reads one response with its body, or only its head.
    func response(hasBody: Bool = true) throws -> WireResponse {
        let head = try read(through: "\r\n\r\n")
        var response = try WireResponse(head: head)
        guard hasBody, response.status != 204, response.status != 304, response.status >= 200 else {
            return response
        }
        if response.header("transfer-encoding") == "chunked" {
            while let chunk = try chunk() { response.body += chunk }
        } else if let count = response.header("content-length").flatMap({ Int($0) }) {
            response.body = try read(count: count)
        }
        return response
    }

    /// One chunk of a chunked body, nil for the last.
    func chunk() throws -> [UInt8]? {
        let line = try read(through: "\r\n").dropLast(1)
        guard let count = Int(line, radix: 16) else { throw Failure(description: "chunk size \(line)") }
        let bytes = try read(count: count)
        _ = try read(count: 2)
        return count == 0 ? nil : bytes
    }

    /// Sends a request and reads its response.
    func request(
        _ line: String, headers: [String] = [], body: String? = nil
    ) throws -> WireResponse {
        var text = "\(line) HTTP/1.1\r\nHost: test\r\n" + headers.map { $0 + "\r\n" }.joined()
        if let body { text += "Content-Length: \(body.utf8.count)\r\n\r\n\(body)" } else { text += "\r\n" }
        try send(text)
        return try response(hasBody: !line.hasPrefix("HEAD "))
    }
}

/// A response as it came over the wire.
struct WireResponse {
    var status: Int
    var headers: [(name: String, value: String)] = []
    var body: [UInt8] = []

    init(head: String) throws {
        var lines = head.components(separatedBy: "\r\n")
        let words = lines.removeFirst().split(separator: " ")
        guard words.count >= 2, words[0] == "HTTP/1.1", let status = Int(words[1]) else {
            throw WireClient.Failure(description: "no status line in \(head)")
        }
        self.status = status
        for line in lines where !line.isEmpty {
            let parts = line.split(separator: ":", maxSplits: 1)
            headers.append((String(parts[0]).lowercased(), parts[1].trimmingCharacters(in: .whitespaces)))
        }
    }

    func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
    var text: String { String(decoding: body, as: UTF8.self) }

    /// The text of `{"error": "…"}`, when that is the body.
    var error: String? {
        guard header("content-type") == "application/json",
            let object = try? JSONDecoder().decode([String: String].self, from: Data(body)), object.count == 1
        else { return nil }
        return object["error"]
    }
}

/// Runs blocking code on a thread of its own.
func offPool<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
        do {
            try OwnedThread.start(name: "test") {
                continuation.resume(with: Swift.Result { try body() })
            }
        } catch { continuation.resume(throwing: error) }
    }
}

/// Starts a server, runs the test's body and stops the server.
func withServer(
    _ configure: (inout HTTPServer.Configuration) -> Void = { _ in },
    handler: @escaping @Sendable (HTTPRequest) async -> HTTPResponse,
    body: (HTTPServer) async throws -> Void
) async throws {
    var configuration = HTTPServer.Configuration()
    configure(&configuration)
    let server = HTTPServer(configuration: configuration, handler: handler)
    try server.start()
    do { try await body(server) } catch {
        await server.stop(deadline: .zero)
        throw error
    }
    await server.stop(deadline: .seconds(5))
}

/// Runs a program and collects what it prints.
func run(_ program: String, _ arguments: [String], input: Data? = nil) async throws -> (Data, Int32) {
    try await offPool {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [program] + arguments
        let output = Pipe()
        let inputPipe = Pipe()
        process.standardOutput = output
        process.standardInput = inputPipe
        try process.run()
        if let input { try inputPipe.fileHandleForWriting.write(contentsOf: input) }
        try inputPipe.fileHandleForWriting.close()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (data, process.terminationStatus)
    }
}

/// Something a test waits for, until its time limit cancels it.
final class Signal: Sendable {
    private struct State {
        var count = 0
        var isCancelled = false
        var waiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

        mutating func takeDue() -> [CheckedContinuation<Void, Never>] {
            let due = waiting.filter { isCancelled || $0.count <= count }
            waiting.removeAll { isCancelled || $0.count <= count }
            return due.map(\.continuation)
        }
    }
    private let state = Mutex(State())

    func fire() { change { $0.count += 1 } }

    var count: Int { state.withLock { $0.count } }

    /// Waits until ``fire()`` has been called that often.
    func wait(count: Int = 1) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                change { $0.waiting.append((count, continuation)) }
            }
        } onCancel: {
            change { $0.isCancelled = true }
        }
    }

    private func change(_ body: (inout State) -> Void) {
        let due = state.withLock { state in
            body(&state)
            return state.takeDue()
        }
        for continuation in due { continuation.resume() }
    }
}
