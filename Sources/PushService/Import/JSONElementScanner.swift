/// Finds the objects of an export in a stream of JSON text: elements of an array, of `{"results": […]}`, or objects
/// one after the other.
///
/// Only borders are found, by brackets and strings; what is inside is read by others. Memory is one object.
struct JSONElementScanner {
    /// The largest object that is read, against LeanCloud's limit of 128 KB; larger ones are left out.
    static let elementByteCountMax = 1 << 20

    /// What the text was found to be.
    private enum Form {
        /// Nothing but blanks was seen.
        case unknown
        /// The object that may be a wrapper is read as far as its first key.
        case opening
        /// Elements stand in an array.
        case array
        /// Elements stand one after the other.
        case lines
        /// The array has ended; the rest of the file is not looked at.
        case ended
    }

    private var form = Form.unknown
    private var element: [UInt8] = []
    private var depth = 0
    private var isInString = false
    private var isEscaped = false
    /// The element is too large and is only counted.
    private var isTooLarge = false
    /// Something that is no object stands between the elements.
    private(set) var strayCount = 0
    private var isInStray = false
    private(set) var tooLargeCount = 0

    /// Whether the text may end here.
    var isComplete: Bool {
        switch form {
        case .ended: true
        case .lines: depth == 0
        case .unknown: false
        case .opening, .array: false
        }
    }

    /// Takes the next bytes and hands out each object that ends in them.
    mutating func feed(_ bytes: UnsafeRawBufferPointer, _ body: ([UInt8]) -> Void) {
        var start = 0
        while start < bytes.count {
            if form == .ended { return }
            if depth == 0 {
                outside(bytes[start])
                start += 1
                continue
            }
            // Inside an element: the loop that sees every byte.
            var index = start
            while index < bytes.count, depth > 0 {
                step(bytes[index])
                index += 1
            }
            append(UnsafeRawBufferPointer(rebasing: bytes[start..<index]))
            start = index
            if form == .opening { checkOpening() }
            if depth == 0 { finish(body) }
        }
    }

    /// Goes over one byte of an element.
    private mutating func step(_ byte: UInt8) {
        if isInString {
            if isEscaped {
                isEscaped = false
            } else if byte == 0x5c {
                isEscaped = true
            } else if byte == 0x22 {
                isInString = false
            }
            return
        }
        switch byte {
        case 0x22: isInString = true
        case 0x7b, 0x5b: depth += 1
        case 0x7d, 0x5d: depth -= 1
        default: break
        }
        // A wrapper's array begins its elements anew.
        if form == .opening, byte == 0x5b, depth == 2 { depth = 0 }
    }

    private mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard !isTooLarge else { return }
        guard element.count + bytes.count <= Self.elementByteCountMax else {
            isTooLarge = true
            element.removeAll()
            return
        }
        element.append(contentsOf: bytes)
    }

    /// Decides whether the first object is the wrapper of the others.
    private mutating func checkOpening() {
        guard depth == 0 else { return }
        if element.last == 0x5b, Self.isWrapper(element) {
            form = .array
            element.removeAll()
            return
        }
        if element.last == 0x5b {
            // An array of the first row, not the wrapper's.
            depth = 2
        }
        form = .lines
    }

    /// Whether a text is `{"results":[`, with blanks anywhere.
    private static func isWrapper(_ text: [UInt8]) -> Bool {
        var rest = text[...]
        for piece in ["{", #""results""#, ":", "["] {
            rest = rest.drop { $0 == 0x20 || $0 == 0x0a || $0 == 0x0d || $0 == 0x09 }
            guard rest.starts(with: piece.utf8) else { return false }
            rest = rest.dropFirst(piece.utf8.count)
        }
        return rest.isEmpty
    }

    private mutating func finish(_ body: ([UInt8]) -> Void) {
        guard form != .array || !element.isEmpty || isTooLarge else { return }
        if isTooLarge { tooLargeCount += 1 } else { body(element) }
        isTooLarge = false
        element.removeAll(keepingCapacity: true)
    }

    /// Goes over one byte between elements.
    private mutating func outside(_ byte: UInt8) {
        switch byte {
        case 0x7b:
            if form == .unknown { form = .opening }
            isInStray = false
            depth = 1
            element.removeAll(keepingCapacity: true)
            element.append(byte)
        case 0x5b where form == .unknown: form = .array
        case 0x5d where form == .array: form = .ended
        case 0x20, 0x09, 0x0a, 0x0d, 0x2c: isInStray = false
        // A mark of the byte order, which some programs write first.
        case 0xef, 0xbb,
            0xbf where form == .unknown:
            break
        default:
            if !isInStray { strayCount += 1 }
            isInStray = true
            if form == .unknown { form = .lines }
        }
    }
}
