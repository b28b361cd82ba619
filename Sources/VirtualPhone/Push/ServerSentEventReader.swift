/// Reads server-sent events out of pieces of text, cut anywhere (HTML standard, "Server-sent events").
struct ServerSentEventReader: Sendable {
    struct Event: Hashable, Sendable {
        /// The last id, of this event or an earlier one.
        var id: String
        var name: String
        var data: [UInt8]
    }

    /// Longer lines and events end the stream, in bytes.
    static let byteCountMax = 1 << 20

    private var line: [UInt8] = []
    private var isAfterReturn = false
    private var id = ""
    private var name = ""
    private var data: [UInt8] = []
    private var hasData = false

    /// Takes a piece.
    ///
    /// - Returns: the events that it completes; nil when one is too long.
    mutating func read(_ piece: [UInt8]) -> [Event]? {
        var events: [Event] = []
        for byte in piece {
            defer { isAfterReturn = byte == 0x0d }
            switch byte {
            case 0x0a where isAfterReturn: break
            case 0x0a, 0x0d: if let event = endLine() { events.append(event) }
            default:
                guard line.count + data.count < Self.byteCountMax else { return nil }
                line.append(byte)
            }
        }
        return events
    }

    private mutating func endLine() -> Event? {
        defer { line.removeAll(keepingCapacity: true) }
        guard !line.isEmpty else { return endEvent() }
        let colon = line.firstIndex(of: 0x3a)
        let field = line[..<(colon ?? line.endIndex)]
        var value = colon.map { line[($0 + 1)...] } ?? []
        if value.first == 0x20 { value = value.dropFirst() }
        switch String(decoding: field, as: UTF8.self) {
        case "id": id = String(decoding: value, as: UTF8.self)
        case "event": name = String(decoding: value, as: UTF8.self)
        case "data":
            if hasData { data.append(0x0a) }
            data += value
            hasData = true
        default: break
        }
        return nil
    }

    private mutating func endEvent() -> Event? {
        defer {
            name = ""
            data = []
            hasData = false
        }
        return hasData ? Event(id: id, name: name.isEmpty ? "message" : name, data: data) : nil
    }
}
