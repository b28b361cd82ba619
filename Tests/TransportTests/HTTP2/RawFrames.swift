/// HTTP/2 frames made by hand, for peers that do not keep to the rules (RFC 9113 §4.1).
enum RawFrames {
    static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)

    enum Kind: UInt8 {
        case data = 0
        case headers = 1
        case priority = 2
        case resetStream = 3
        case settings = 4
        case pushPromise = 5
        case ping = 6
        case goAway = 7
        case windowUpdate = 8
        case continuation = 9
        case unknown = 0xbe
    }

    static func frame(_ kind: Kind, flags: UInt8 = 0, stream: UInt32 = 0, _ payload: [UInt8] = []) -> [UInt8]
    {
        let count = payload.count
        return [
            UInt8(count >> 16 & 0xff), UInt8(count >> 8 & 0xff), UInt8(count & 0xff), kind.rawValue, flags,
        ]
            + number(stream) + payload
    }

    static func number(_ value: UInt32) -> [UInt8] {
        [UInt8(value >> 24), UInt8(value >> 16 & 0xff), UInt8(value >> 8 & 0xff), UInt8(value & 0xff)]
    }

    /// `:method POST`, `:scheme https`, `:path /`, `:authority` of one letter, all without the table.
    static let requestBlock: [UInt8] = [0x83, 0x87, 0x84, 0x01, 0x01, 0x61]

    /// A field that is not put into the table; lengths up to 16,383.
    static func literal(_ name: String, _ value: [UInt8]) -> [UInt8] {
        [0x00] + string(Array(name.utf8)) + string(value)
    }

    static func string(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.count >= 127 else { return [UInt8(bytes.count)] + bytes }
        var rest = bytes.count - 127
        var head: [UInt8] = [127]
        while rest >= 128 {
            head.append(UInt8(rest & 127) | 128)
            rest >>= 7
        }
        return head + [UInt8(rest)] + bytes
    }

    static let endStream: UInt8 = 1
    static let endHeaders: UInt8 = 4
    static let acknowledged: UInt8 = 1

    static func request(_ stream: UInt32, ends: Bool = true, block: [UInt8] = requestBlock) -> [UInt8] {
        frame(.headers, flags: endHeaders | (ends ? endStream : 0), stream: stream, block)
    }

    static func reset(_ stream: UInt32, _ code: UInt32 = 8) -> [UInt8] {
        frame(.resetStream, stream: stream, number(code))
    }

    /// The frames of a byte stream: kind, flags, stream and payload.
    static func parse(_ bytes: [UInt8]) -> [(kind: UInt8, flags: UInt8, stream: UInt32, payload: [UInt8])] {
        var frames: [(kind: UInt8, flags: UInt8, stream: UInt32, payload: [UInt8])] = []
        var rest = bytes[...]
        while rest.count >= 9 {
            let head = Array(rest.prefix(9))
            let count = Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2])
            guard rest.count >= 9 + count else { break }
            let stream = head[5...].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            frames.append((head[3], head[4], stream, Array(rest.dropFirst(9).prefix(count))))
            rest = rest.dropFirst(9 + count)
        }
        return frames
    }
}
