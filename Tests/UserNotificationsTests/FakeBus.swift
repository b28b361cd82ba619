import Foundation
import Synchronization

/// A session bus and a notification service in the test: it does what it is told, and tells what it was asked.
///
/// Everything that happens is an event in one inbox, so that a test waits for the event and for no time.
final class FakeBus: Sendable {
    enum Event: Sendable {
        case connected
        case asked
        case notify(BusMessage)
        case close(UInt32)
        /// A signal of the client.
        case signal(BusMessage)
    }

    private struct Contents {
        var listener: Int32 = -1
        var client: Int32 = -1
        var owner: String?
        var capabilities = ["body", "body-markup", "actions", "sound", "inline-reply", "body-hyperlinks"]
        var nextNumber: UInt32 = 1
        var serial: UInt32 = 1
    }

    let path: String
    var address: String { "unix:path=" + path }
    let events = Inbox<Event>()
    private let contents: Mutex<Contents>

    static let service = "org.freedesktop.Notifications"

    /// - Parameter owner: the bus name of the service; nil when there is none at first.
    init(owner: String? = ":1.7") throws {
        path =
            FileManager.default.temporaryDirectory.appendingPathComponent("b-" + UUID().uuidString.prefix(13))
            .path
        contents = Mutex(Contents(owner: owner))
        try start()
    }

    deinit {
        let descriptors = contents.withLock { [$0.listener, $0.client] }
        for descriptor in descriptors where descriptor >= 0 { shutdown(descriptor, Int32(SHUT_RDWR)) }
        unlink(path)
    }

    // MARK: For the test

    /// Listens again after `stop`.
    func start() throws {
        let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let path = path
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(107)) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(listener, $0, size) }
        }
        guard result == 0, listen(listener, 8) == 0 else { throw CocoaError(.fileWriteUnknown) }
        contents.withLock { $0.listener = listener }
        let thread = Thread { [weak self] in
            while true {
                let client = accept(listener, nil, nil)
                guard client >= 0 else { break }
                self?.contents.withLock { $0.client = client }
                FakeBus.serve(client) { [weak self] in self }
                close(client)
            }
            close(listener)
        }
        thread.start()
    }

    /// The bus ends, and all connections with it.
    func stop() {
        let descriptors = contents.withLock { contents in
            defer { (contents.listener, contents.client) = (-1, -1) }
            return [contents.listener, contents.client]
        }
        for descriptor in descriptors where descriptor >= 0 { shutdown(descriptor, Int32(SHUT_RDWR)) }
        unlink(path)
    }

    /// The service starts, stops (nil) or is taken over; its numbers begin again.
    func setOwner(_ owner: String?, capabilities: [String]? = nil, tells: Bool = true) {
        let old = contents.withLock { contents in
            defer { contents.owner = owner }
            if let capabilities { contents.capabilities = capabilities }
            contents.nextNumber = 1
            return contents.owner
        }
        guard tells else { return }
        var message = BusMessage(.signal)
        (message.path, message.interface) = ("/org/freedesktop/DBus", "org.freedesktop.DBus")
        (message.member, message.sender) = ("NameOwnerChanged", "org.freedesktop.DBus")
        message.signature = "sss"
        message.body = [.text(Self.service), .text(old ?? ""), .text(owner ?? "")]
        send(message)
    }

    /// The service sends a signal.
    func emit(_ member: String, _ signature: String, _ body: [BusValue]) {
        var message = BusMessage(.signal)
        (message.path, message.interface) = ("/org/freedesktop/Notifications", Self.service)
        (message.member, message.sender) = (member, contents.withLock { $0.owner } ?? ":1.7")
        (message.signature, message.body) = (signature, body)
        send(message)
    }

    // MARK: The wire

    private func send(_ message: BusMessage) {
        var message = message
        let client = contents.withLock { contents in
            contents.serial += 1
            message.serial = contents.serial
            return contents.client
        }
        let bytes = message.encoded()
        _ = Foundation.send(client, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    private static func serve(_ client: Int32, _ bus: () -> FakeBus?) {
        var bytes: [UInt8] = []
        var isBegun = false
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(client, &buffer, buffer.count)
            guard count > 0, let bus = bus() else { return }
            bytes += buffer[..<count]
            while !isBegun, let end = bytes.firstIndex(of: 0x0a) {
                let line = String(decoding: bytes[..<end], as: UTF8.self)
                    .trimmingCharacters(in: CharacterSet(charactersIn: "\0\r"))
                bytes.removeFirst(end + 1)
                isBegun = line == "BEGIN"
                let answer =
                    switch line {
                    case "BEGIN": ""
                    case "AUTH EXTERNAL": "DATA\r\n"
                    case "NEGOTIATE_UNIX_FD": "AGREE_UNIX_FD\r\n"
                    default: "OK 0123456789abcdef0123456789abcdef\r\n"
                    }
                _ = Foundation.send(client, Array(answer.utf8), answer.utf8.count, Int32(MSG_NOSIGNAL))
            }
            while isBegun, let message = BusMessage(taking: &bytes) { bus.answer(message) }
        }
    }

    private func answer(_ message: BusMessage) {
        guard message.kind == .call else {
            if message.kind == .signal { events.append(.signal(message)) }
            return
        }
        var reply = BusMessage(.reply)
        (reply.replySerial, reply.destination, reply.sender) = (
            message.serial, ":1.42", "org.freedesktop.DBus"
        )
        if message.destination == Self.service {
            guard let owner = contents.withLock({ $0.owner }) else {
                reply.kind = .error
                reply.errorName = "org.freedesktop.DBus.Error.ServiceUnknown"
                (reply.signature, reply.body) = ("s", [.text("no such service")])
                events.append(.asked)
                send(reply)
                return
            }
            reply.sender = owner
        }
        switch message.member {
        case "Hello": (reply.signature, reply.body) = ("s", [.text(":1.42")])
        case "GetCapabilities":
            let texts = contents.withLock { $0.capabilities.map { BusValue.text($0) } }
            (reply.signature, reply.body) = ("as", [.array(texts)])
        case "Notify":
            let number = contents.withLock { contents in
                if let old = message.body[1].unsigned, old > 0 { return old }
                defer { contents.nextNumber += 1 }
                return contents.nextNumber
            }
            (reply.signature, reply.body) = ("u", [.unsigned(number)])
        default: break
        }
        send(reply)
        switch message.member {
        case "Hello": events.append(.connected)
        case "Notify": events.append(.notify(message))
        case "CloseNotification": events.append(.close(message.body.first?.unsigned ?? 0))
        default: break
        }
    }
}
