/// The events that wait for one client, as bytes in order; never more than its limits.
///
/// ```
/// open ──end()──▶ ending ──drained──▶ over
///   └─────────────cut()───────────────▲
/// ```
struct EventQueue: Sendable {
    /// What a reader of the queue gets.
    enum Pull: Sendable, Hashable {
        case bytes(Int)
        /// Nothing now; the next accepted event says so.
        case wait
        /// Everything has been read and nothing will follow.
        case end
        /// The stream was cut: what waited is gone.
        case cut
    }

    private enum State {
        case open
        case ending
        case cut
    }

    private struct Piece {
        let bytes: [UInt8]
        let isEvent: Bool
    }

    let eventCountMax: Int
    let byteCountMax: Int

    private var state = State.open
    private var pieces: [Piece]
    private var firstPiece = 0
    private var firstByte = 0
    private var eventCount = 0
    private var byteCount = 0

    /// Starts with a comment: the kernel holds response headers back until bytes follow them.
    init(eventCountMax: Int, byteCountMax: Int) {
        self.eventCountMax = eventCountMax
        self.byteCountMax = byteCountMax
        pieces = [Piece(bytes: ServerSentEvent.comment(""), isEvent: false)]
    }

    /// Whether events are still taken.
    var isOpen: Bool { state == .open }

    /// Whether nothing waits to be read.
    var isEmpty: Bool { firstPiece == pieces.count }

    /// Whether the stream was cut.
    var isCut: Bool { state == .cut }

    /// Adds an event, unless it is one too many.
    mutating func add(event bytes: [UInt8]) -> Bool {
        guard state == .open, eventCount < eventCountMax, byteCount + bytes.count <= byteCountMax else {
            return false
        }
        eventCount += 1
        byteCount += bytes.count
        pieces.append(Piece(bytes: bytes, isEvent: true))
        return true
    }

    /// Adds a comment when nothing else waits.
    mutating func add(comment bytes: [UInt8]) -> Bool {
        guard state == .open, isEmpty else { return false }
        pieces.append(Piece(bytes: bytes, isEvent: false))
        return true
    }

    /// Takes no more events; those that wait are still read.
    mutating func end() {
        if state == .open { state = .ending }
    }

    /// Drops everything.
    mutating func cut() {
        state = .cut
        pieces = []
        firstPiece = 0
        firstByte = 0
        eventCount = 0
        byteCount = 0
    }

    /// Moves as much as fits into `buffer`.
    mutating func pull(into buffer: UnsafeMutableRawBufferPointer) -> Pull {
        guard state != .cut else { return .cut }
        var filled = 0
        while firstPiece < pieces.count, filled < buffer.count {
            let piece = pieces[firstPiece]
            let count = min(buffer.count - filled, piece.bytes.count - firstByte)
            piece.bytes.withUnsafeBytes { bytes in
                let part = UnsafeRawBufferPointer(rebasing: bytes[firstByte..<(firstByte + count)])
                UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]).copyMemory(from: part)
            }
            filled += count
            firstByte += count
            guard firstByte == piece.bytes.count else { break }
            advance(past: piece)
        }
        if filled > 0 { return .bytes(filled) }
        return state == .ending ? .end : .wait
    }

    private mutating func advance(past piece: Piece) {
        if piece.isEvent {
            eventCount -= 1
            byteCount -= piece.bytes.count
        }
        firstByte = 0
        firstPiece += 1
        if firstPiece == pieces.count {
            pieces.removeAll(keepingCapacity: true)
            firstPiece = 0
        } else if firstPiece >= 64, firstPiece * 2 >= pieces.count {
            pieces.removeFirst(firstPiece)
            firstPiece = 0
        }
    }
}
