import APNs

@testable import PushService

/// What must hold for any bytes whatever that come in a file to import.
///
/// The tests of this folder call them with mutated input, the fuzz targets with what libFuzzer makes up. Each
/// gives a sentence about what does not hold, or nil.
enum ImportInvariants {
    // MARK: - BSON

    static func bson(_ stream: [UInt8]) -> String? {
        let whole = documents(stream, pieceByteCount: max(1, stream.count))
        for pieceByteCount in [1, 3, 64] {
            guard documents(stream, pieceByteCount: pieceByteCount) == whole else {
                return "pieces of \(pieceByteCount) bytes give other documents"
            }
        }
        guard whole.found.reduce(0, { $0 + $1.count }) <= stream.count else { return "there are more bytes" }
        for document in whole.found {
            if let fault = fields(document) { return fault }
        }
        // Also where no length led to it.
        return fields(stream)
    }

    private struct Documents: Equatable {
        var found: [[UInt8]] = []
        var isComplete = false
        var isRefused = false
    }

    private static func documents(_ stream: [UInt8], pieceByteCount: Int) -> Documents {
        var reader = BSONReader()
        var documents = Documents()
        for start in stride(from: 0, to: stream.count, by: pieceByteCount) {
            let piece = Array(stream[start..<min(start + pieceByteCount, stream.count)])
            do {
                try piece.withUnsafeBytes { try reader.feed($0) { documents.found.append($0) } }
            } catch {
                documents.isRefused = true
                return documents
            }
        }
        documents.isComplete = reader.isComplete
        return documents
    }

    private static func fields(_ document: [UInt8]) -> String? {
        guard let fields = BSONReader.fields(document) else { return nil }
        guard let text = try? JSONValue.object(fields).encoded() else { return "a document is no JSON" }
        guard let again = try? JSONValue(parsing: text) else { return "a document's JSON cannot be read" }
        return again == .object(fields) ? nil : "a document changes in a round trip through JSON"
    }

    // MARK: - JSON

    static func json(_ text: [UInt8]) -> String? {
        let whole = elements(text, pieceByteCount: max(1, text.count))
        for pieceByteCount in [1, 2, 7] {
            guard elements(text, pieceByteCount: pieceByteCount) == whole else {
                return "pieces of \(pieceByteCount) bytes give other elements"
            }
        }
        for element in whole.found where element.first != 0x7b || ![0x7d, 0x5d].contains(element.last) {
            return "an element is no object"
        }
        guard let value = try? JSONValue(parsing: text), let expected = rows(of: value, text) else {
            return nil
        }
        let read = whole.found.map { try? JSONValue(parsing: $0) }
        guard whole.isComplete, read == expected else {
            return "\(read.count) of \(expected.count) rows were found in text that is good"
        }
        return nil
    }

    private struct Elements: Equatable {
        var found: [[UInt8]] = []
        var isComplete = false
        var strayCount = 0
        var tooLargeCount = 0
    }

    private static func elements(_ text: [UInt8], pieceByteCount: Int) -> Elements {
        var scanner = JSONElementScanner()
        var elements = Elements()
        for start in stride(from: 0, to: text.count, by: pieceByteCount) {
            let piece = Array(text[start..<min(start + pieceByteCount, text.count)])
            piece.withUnsafeBytes { scanner.feed($0) { elements.found.append($0) } }
        }
        elements.isComplete = scanner.isComplete
        elements.strayCount = scanner.strayCount
        elements.tooLargeCount = scanner.tooLargeCount
        return elements
    }

    /// The rows of a text that is JSON; nil where nothing is promised.
    private static func rows(of value: JSONValue, _ text: [UInt8]) -> [JSONValue]? {
        switch value {
        case .array(let items): return items.allSatisfy(isObject) ? items : nil
        case .object(let members):
            guard let results = members["results"] else { return [value] }
            // A wrapper is one whose first key is `results`; of a repeated key another value may be meant.
            guard members.count == 1, case .array(let items) = results, items.allSatisfy(isObject),
                text.count(where: { $0 == 0x3a }) == items.reduce(1, { $0 + colonCount($1) })
            else { return nil }
            return items
        default: return nil
        }
    }

    private static func isObject(_ value: JSONValue) -> Bool {
        if case .object = value { true } else { false }
    }

    /// How many keys a value has: with colons in strings or repeated keys the text has more.
    private static func colonCount(_ value: JSONValue) -> Int {
        switch value {
        case .array(let items): items.reduce(0) { $0 + colonCount($1) }
        case .object(let members): members.values.reduce(members.count) { $0 + colonCount($1) }
        default: 0
        }
    }
}
