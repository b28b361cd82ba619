internal import APNs
internal import CBSON
internal import Recurrence

/// Splits a stream of BSON documents, as MongoDB's backups are, and reads them (bsonspec.org, version 1.1).
struct BSONReader {
    /// The largest document MongoDB stores is 16 MB.
    static let documentByteCountMax = 16 << 20
    /// A document's length and its ending byte.
    static let documentByteCountMin = 5
    /// As deep as JSON is read.
    static let depthMax = 32

    private var pending: [UInt8] = []

    /// Whether the stream may end here.
    var isComplete: Bool { pending.isEmpty }

    /// Takes the next bytes and hands out each document that ends in them.
    ///
    /// - Throws: when the length of a document cannot be one: nothing after it can be found.
    mutating func feed(
        _ bytes: UnsafeRawBufferPointer, _ body: ([UInt8]) -> Void
    ) throws(ImportError) {
        pending.append(contentsOf: bytes)
        var start = 0
        while pending.count - start >= 4 {
            let count = (0..<4).reduce(0) { $0 | Int(pending[start + $1]) << (8 * $1) }
            guard (Self.documentByteCountMin...Self.documentByteCountMax).contains(count) else {
                throw ImportError(
                    "BSON: a document of \(count) bytes was found, 5 bytes to 16 MB are possible")
            }
            guard pending.count - start >= count else { break }
            body(Array(pending[start..<start + count]))
            start += count
        }
        pending.removeFirst(start)
    }

    /// The fields of a document; nil for a damaged one.
    static func fields(_ document: [UInt8]) -> [String: JSONValue]? {
        document.withUnsafeBufferPointer { bytes -> [String: JSONValue]? in
            guard let reader = bson_new_from_data(bytes.baseAddress, bytes.count) else { return nil }
            defer { bson_destroy(reader) }
            guard bson_validate(reader, BSON_VALIDATE_UTF8, nil) else { return nil }
            guard let cursor = Cursor(), bson_iter_init(cursor.pointer, reader) else { return nil }
            return members(cursor, depth: 1)
        }
    }

    private static func members(_ cursor: Cursor, depth: Int) -> [String: JSONValue]? {
        guard depth <= depthMax else { return nil }
        var members: [String: JSONValue] = [:]
        while bson_iter_next(cursor.pointer) {
            guard let key = bson_iter_key(cursor.pointer) else { return nil }
            guard let value = value(cursor, depth: depth) else { return nil }
            members[String(cString: key)] = value
        }
        return members
    }

    private static func value(_ cursor: Cursor, depth: Int) -> JSONValue? {
        switch bson_iter_type(cursor.pointer) {
        case BSON_TYPE_DOUBLE:
            let number = bson_iter_double(cursor.pointer)
            return number.isFinite ? Int64(exactly: number).map(JSONValue.integer) ?? .number(number) : .null
        case BSON_TYPE_INT32: return .integer(Int64(bson_iter_int32(cursor.pointer)))
        case BSON_TYPE_INT64: return .integer(bson_iter_int64(cursor.pointer))
        case BSON_TYPE_BOOL: return .bool(bson_iter_bool(cursor.pointer))
        case BSON_TYPE_UTF8: return .string(text(cursor))
        case BSON_TYPE_OID:
            guard let oid = bson_iter_oid(cursor.pointer) else { return nil }
            return withUnsafeBytes(of: oid.pointee) { bytes in
                .string(bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined())
            }
        case BSON_TYPE_DATE_TIME:
            let instant = Instant(millisecondsSince1970: bson_iter_date_time(cursor.pointer))
            guard Instant.iso8601Range.contains(instant) else { return .null }
            return ["__type": "Date", "iso": .string(instant.iso8601)]
        case BSON_TYPE_DOCUMENT:
            guard let child = Cursor(), bson_iter_recurse(cursor.pointer, child.pointer) else { return nil }
            return members(child, depth: depth + 1).map(JSONValue.object)
        case BSON_TYPE_ARRAY:
            guard depth < depthMax, let child = Cursor(), bson_iter_recurse(cursor.pointer, child.pointer)
            else {
                return nil
            }
            var elements: [JSONValue] = []
            while bson_iter_next(child.pointer) {
                guard let element = value(child, depth: depth + 1) else { return nil }
                elements.append(element)
            }
            return .array(elements)
        // Regular expressions, code, binary data and what else no installation holds.
        default: return .null
        }
    }

    private static func text(_ cursor: Cursor) -> String {
        var count: UInt32 = 0
        guard let start = bson_iter_utf8(cursor.pointer, &count) else { return "" }
        return start.withMemoryRebound(to: UInt8.self, capacity: Int(count)) {
            String(decoding: UnsafeBufferPointer(start: $0, count: Int(count)), as: UTF8.self)
        }
    }

    /// A place in a document.
    private final class Cursor {
        let pointer: OpaquePointer

        init?() {
            guard let pointer = belfry_bson_iter_new() else { return nil }
            self.pointer = pointer
        }

        deinit {
            belfry_bson_iter_free(pointer)
        }
    }
}
