/// Walks JSON text by the grammar of RFC 8259 without making values.
///
/// The decoder of Foundation does not say where text is wrong, takes commas before a closing bracket, goes
/// hundreds of levels deep and drops repeated keys silently. This check runs first: it says where, bounds the
/// depth, and reports the repeated keys.
struct JSONSyntax {
    /// A place where the text is no JSON, and why.
    struct Fault: Error, Hashable {
        var offset: Int
        var message: String
    }

    /// The deepest nesting of arrays and objects that is read.
    static let depthMax = 32
    /// The most repeated keys that are reported.
    static let repeatedKeyCountMax = 100

    private let text: UnsafeRawBufferPointer
    private var position = 0
    private var depth = 0
    /// Key paths of keys that occur more than once in their object.
    private(set) var repeatedKeys: [[String]] = []
    private var path: [String] = []

    /// Checks the whole text.
    init(checking text: UnsafeRawBufferPointer) throws(Fault) {
        self.text = text
        if text.starts(with: [0xef, 0xbb, 0xbf]) {
            throw fault("a byte order mark; JSON begins without one")
        }
        if let offset = JSONSyntax.firstInvalidUTF8(text) {
            throw Fault(offset: offset, message: "a byte that is not UTF-8")
        }
        skipBlanks()
        try value()
        skipBlanks()
        if position < text.count { throw fault("\(found) after the end of the value") }
    }

    /// The line and the column of an offset, both from 1; columns count Unicode scalars.
    static func place(_ offset: Int, in text: UnsafeRawBufferPointer) -> (line: Int, column: Int) {
        var line = 1
        var column = 1
        for byte in text.prefix(offset) {
            if byte == 0x0a {
                line += 1
                column = 1
            } else if byte & 0xc0 != 0x80 {
                column += 1
            }
        }
        return (line, column)
    }

    // MARK: - Grammar

    private mutating func value() throws(Fault) {
        switch next {
        case 0x7b: try object()
        case 0x5b: try array()
        case 0x22: _ = try string()
        case 0x2d, (0x30...0x39)?: try number()
        case 0x74: try literal("true")
        case 0x66: try literal("false")
        case 0x6e: try literal("null")
        case 0x27: throw fault("a single quotation mark; strings stand in double ones")
        case nil: throw fault("the end of the text where a value is missing")
        default: throw fault("\(found) where a value is expected")
        }
    }

    private mutating func object() throws(Fault) {
        try open()
        var keys: Set<String> = []
        if next != 0x7d {
            while true {
                guard next == 0x22 else {
                    throw fault("\(found) where a key in double quotation marks is expected")
                }
                let key = try string()
                path.append(key)
                if !keys.insert(key).inserted, repeatedKeys.count < JSONSyntax.repeatedKeyCountMax {
                    repeatedKeys.append(path)
                }
                skipBlanks()
                guard next == 0x3a else { throw fault("\(found) where ':' is expected") }
                position += 1
                skipBlanks()
                try value()
                path.removeLast()
                if try !comma(before: 0x7d) { break }
            }
        }
        close()
    }

    private mutating func array() throws(Fault) {
        try open()
        path.append("[]")
        if next != 0x5d {
            repeat { try value() } while try comma(before: 0x5d)
        }
        path.removeLast()
        close()
    }

    private mutating func open() throws(Fault) {
        depth += 1
        guard depth <= JSONSyntax.depthMax else {
            throw fault("nesting deeper than \(JSONSyntax.depthMax) levels")
        }
        position += 1
        skipBlanks()
    }

    private mutating func close() {
        depth -= 1
        position += 1
    }

    /// Steps over a comma to the next element; false in front of the closing bracket.
    private mutating func comma(before bracket: UInt8) throws(Fault) -> Bool {
        skipBlanks()
        if next == bracket { return false }
        guard next == 0x2c else {
            throw fault("\(found) where ',' or '\(Character(Unicode.Scalar(bracket)))' is expected")
        }
        let comma = position
        position += 1
        skipBlanks()
        if next == bracket { throw Fault(offset: comma, message: "a comma after the last element") }
        return true
    }

    /// The text of a string, with its escapes as they are written.
    private mutating func string() throws(Fault) -> String {
        position += 1
        let start = position
        while let byte = next, byte != 0x22 {
            if byte < 0x20 { throw fault("a control character in a string; it must be written as an escape") }
            if byte == 0x5c { try escape() } else { position += 1 }
        }
        guard next == 0x22 else { throw fault("the end of the text inside a string") }
        position += 1
        return String(decoding: text[start..<position - 1], as: UTF8.self)
    }

    private mutating func escape() throws(Fault) {
        let start = position
        position += 1
        switch next {
        case 0x22, 0x5c, 0x2f, 0x62, 0x66, 0x6e, 0x72, 0x74: position += 1
        case 0x75:
            let unit = try codeUnit()
            if 0xdc00...0xdfff ~= unit { throw Fault(offset: start, message: "half of a surrogate pair") }
            if 0xd800...0xdbff ~= unit {
                guard next == 0x5c, position + 1 < text.count, text[position + 1] == 0x75 else {
                    throw Fault(offset: start, message: "half of a surrogate pair")
                }
                position += 1
                guard 0xdc00...0xdfff ~= (try codeUnit()) else {
                    throw Fault(offset: start, message: "half of a surrogate pair")
                }
            }
        default: throw Fault(offset: start, message: "an escape that JSON does not know")
        }
    }

    /// The four digits after `\u`.
    private mutating func codeUnit() throws(Fault) -> UInt64 {
        position += 1
        guard position + 4 <= text.count else { throw fault("the end of the text inside an escape") }
        var isValid = true
        let unit = Hexadecimal.word(text, from: position, count: 4, isValid: &isValid)
        if !isValid { throw fault("an escape without four hexadecimal digits") }
        position += 4
        return unit
    }

    private mutating func number() throws(Fault) {
        let start = position
        if next == 0x2d { position += 1 }
        let first = next
        let integerDigits = digits()
        if integerDigits == 0 { throw fault("\(found) where a digit is expected") }
        if first == 0x30, integerDigits > 1 {
            throw Fault(offset: start, message: "a number that begins with a needless 0")
        }
        if next == 0x2e {
            position += 1
            if digits() == 0 { throw fault("\(found) where a digit is expected") }
        }
        if next == 0x65 || next == 0x45 {
            position += 1
            if next == 0x2b || next == 0x2d { position += 1 }
            if digits() == 0 { throw fault("\(found) where a digit is expected") }
        }
        let value = Double(String(decoding: text[start..<position], as: UTF8.self))
        guard let value, value.isFinite else {
            throw Fault(offset: start, message: "a number outside the range of 64-bit floating point")
        }
    }

    private mutating func digits() -> Int {
        let start = position
        while let byte = next, 0x30...0x39 ~= byte { position += 1 }
        return position - start
    }

    private mutating func literal(_ word: StaticString) throws(Fault) {
        let end = position + word.utf8CodeUnitCount
        guard end <= text.count, word.hasBytes(UnsafeRawBufferPointer(rebasing: text[position..<end])) else {
            throw fault("\(found) where a value is expected")
        }
        position = end
    }

    // MARK: - Text

    private var next: UInt8? { position < text.count ? text[position] : nil }

    private mutating func skipBlanks() {
        while let byte = next, byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 { position += 1 }
    }

    private func fault(_ message: String) -> Fault { Fault(offset: position, message: message) }

    /// What stands at the position, in words.
    private var found: String {
        guard position < text.count else { return "the end of the text" }
        let rest = String(decoding: text[position..<min(position + 32, text.count)], as: UTF8.self)
        guard let scalar = rest.unicodeScalars.first, scalar.value > 0x20, scalar.value != 0x7f else {
            return "byte \(text[position])"
        }
        return "'\(scalar)'"
    }

    private static func firstInvalidUTF8(_ text: UnsafeRawBufferPointer) -> Int? {
        if String(validating: text, as: UTF8.self) != nil { return nil }
        var parser = Unicode.UTF8.ForwardParser()
        var iterator = text.makeIterator()
        var offset = 0
        while true {
            switch parser.parseScalar(from: &iterator) {
            case .valid(let scalar): offset += scalar.count
            case .emptyInput, .error: return offset
            }
        }
    }
}
