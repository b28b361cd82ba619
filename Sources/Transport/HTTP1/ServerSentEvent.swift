/// One event of an ``EventStream``, in the format of the HTML standard's "Server-sent events".
public struct ServerSentEvent: Sendable, Hashable {
    /// What the client sends back as `Last-Event-ID`; nil leaves the last one standing.
    ///
    /// Line breaks and NUL cannot be part of an id and are left out.
    public var id: String?
    /// The event's type, without its line breaks; nil is `message`.
    public var name: String?
    /// UTF-8; each line becomes a `data:` line, which the client puts together again.
    public var data: [UInt8]
    /// How long a client is to wait before it connects again.
    public var retry: Duration?

    /// Makes an event of encoded bytes.
    public init(id: String? = nil, name: String? = nil, data: [UInt8], retry: Duration? = nil) {
        self.id = id
        self.name = name
        self.data = data
        self.retry = retry
    }

    /// Makes an event of text.
    public init(id: String? = nil, name: String? = nil, data: String, retry: Duration? = nil) {
        self.init(id: id, name: name, data: Array(data.utf8), retry: retry)
    }

    /// The lines that go over the wire, with the blank line that ends them.
    var encoded: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(data.count + 64)
        if let id { Self.append("id: ", id, to: &bytes) }
        if let name { Self.append("event: ", name, to: &bytes) }
        if let retry {
            let (seconds, attoseconds) = retry.components
            Self.append("retry: ", String(seconds * 1000 + attoseconds / 1_000_000_000_000_000), to: &bytes)
        }
        appendData(to: &bytes)
        bytes.append(Self.lineFeed)
        return bytes
    }

    /// A comment, which clients ignore; keeps proxies and dead connections from passing unnoticed.
    static func comment(_ text: StaticString) -> [UInt8] {
        text.withUTF8Buffer { [UInt8(ascii: ":")] + Array($0) + [lineFeed, lineFeed] }
    }

    private static let lineFeed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")

    private static func append(_ field: StaticString, _ value: String, to bytes: inout [UInt8]) {
        field.withUTF8Buffer { bytes.append(contentsOf: $0) }
        bytes.append(contentsOf: value.utf8.lazy.filter { $0 != lineFeed && $0 != carriageReturn && $0 != 0 })
        bytes.append(lineFeed)
    }

    private func appendData(to bytes: inout [UInt8]) {
        var line = data[...]
        while true {
            let end = line.firstIndex { $0 == Self.lineFeed || $0 == Self.carriageReturn }
            bytes.append(contentsOf: "data: ".utf8)
            bytes.append(contentsOf: line[..<(end ?? line.endIndex)])
            bytes.append(Self.lineFeed)
            guard let end else { return }
            let isPair = line[end] == Self.carriageReturn && line[(end + 1)...].first == Self.lineFeed
            line = line[(end + (isPair ? 2 : 1))...]
        }
    }
}
