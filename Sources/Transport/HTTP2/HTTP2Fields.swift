/// A list of header fields in one flat buffer, reused from message to message without allocating.
///
/// Names are lower case, pseudo-header fields come first, as RFC 9113 §8.3 requires.
public struct HTTP2Fields: Sendable {
    struct Entry: Sendable {
        var nameStart: UInt32
        var nameCount: UInt32
        var valueStart: UInt32
        var valueCount: UInt32
    }

    var bytes: [UInt8] = []
    var entries: [Entry] = []

    /// An empty list.
    public init() {}

    /// How many fields the list holds.
    public var count: Int { entries.count }

    /// The size as RFC 9113 §6.5.2 counts it: names, values, and 32 bytes a field.
    public var listByteCount: Int { bytes.count + 32 * entries.count }

    /// Appends a field.
    public mutating func append(name: StaticString, value: UnsafeRawBufferPointer) {
        append(
            name: UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount), value: value)
    }

    /// Appends a field whose value is text.
    public mutating func append(name: StaticString, value: StaticString) {
        append(
            name: name,
            value: UnsafeRawBufferPointer(start: value.utf8Start, count: value.utf8CodeUnitCount))
    }

    /// Appends a field whose value is bytes.
    public mutating func append(name: StaticString, value: [UInt8]) {
        value.withUnsafeBytes { append(name: name, value: $0) }
    }

    /// Appends a field whose value is a string; for what is not done a hundred thousand times a second.
    public mutating func append(name: String, value: String) {
        var name = name
        var value = value
        name.withUTF8 { name in
            value.withUTF8 { value in
                append(name: UnsafeRawBufferPointer(name), value: UnsafeRawBufferPointer(value))
            }
        }
    }

    /// Appends a field whose value a closure appends to the buffer it is given.
    public mutating func append(name: StaticString, writingValue body: (inout [UInt8]) -> Void) {
        let nameStart = bytes.count
        bytes.append(
            contentsOf: UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
        let valueStart = bytes.count
        body(&bytes)
        entries.append(
            Entry(
                nameStart: UInt32(nameStart), nameCount: UInt32(valueStart - nameStart),
                valueStart: UInt32(valueStart), valueCount: UInt32(bytes.count - valueStart)))
    }

    /// Appends a field whose name is bytes as well.
    public mutating func append(name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) {
        let nameStart = bytes.count
        bytes.append(contentsOf: name)
        let valueStart = bytes.count
        bytes.append(contentsOf: value)
        entries.append(
            Entry(
                nameStart: UInt32(nameStart), nameCount: UInt32(name.count),
                valueStart: UInt32(valueStart), valueCount: UInt32(value.count)))
    }

    /// Moves the field that was appended last to another place in the order.
    package mutating func moveLast(to index: Int) {
        entries.insert(entries.removeLast(), at: index)
    }

    /// Writes a field's value anew, where it was the last one appended: see ``moveLast(to:)``.
    package mutating func rewriteValue(at index: Int, _ body: (inout [UInt8]) -> Void) {
        let start = Int(entries[index].valueStart)
        precondition(start + Int(entries[index].valueCount) == bytes.count, "not the last value")
        bytes.removeLast(bytes.count - start)
        body(&bytes)
        entries[index].valueCount = UInt32(bytes.count - start)
    }

    /// Empties the list and keeps its buffers.
    public mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        entries.removeAll(keepingCapacity: true)
    }

    /// Calls a closure with each field in order; the buffers are valid inside the closure only.
    @inline(__always)
    public func forEach(_ body: (_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> Void) {
        bytes.withUnsafeBytes { bytes in
            for entry in entries {
                body(Self.name(of: entry, in: bytes), Self.value(of: entry, in: bytes))
            }
        }
    }

    /// The fields where they lie, without copying; valid inside the closure only.
    @inline(__always)
    package func withUnsafeFields<Result>(_ body: (UnsafeHTTP2Fields) -> Result) -> Result {
        bytes.withUnsafeBytes { bytes in
            entries.withUnsafeBufferPointer { body(UnsafeHTTP2Fields(bytes: bytes, entries: $0)) }
        }
    }

    /// The first value of a field, as text; for what is not done a hundred thousand times a second.
    ///
    /// - Parameter name: in lower case.
    public func first(named name: String) -> String? {
        var name = name
        return name.withUTF8 { wanted in
            bytes.withUnsafeBytes { bytes in
                for entry in entries where Int(entry.nameCount) == wanted.count {
                    if Self.name(of: entry, in: bytes).elementsEqual(wanted) {
                        return String(decoding: Self.value(of: entry, in: bytes), as: UTF8.self)
                    }
                }
                return nil
            }
        }
    }

    static func name(of entry: Entry, in bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(
            start: bytes.baseAddress.map { $0 + Int(entry.nameStart) }, count: Int(entry.nameCount))
    }

    static func value(of entry: Entry, in bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(
            start: bytes.baseAddress.map { $0 + Int(entry.valueStart) }, count: Int(entry.valueCount))
    }
}

/// Header fields where they lie; valid while what they were taken from is not changed.
package struct UnsafeHTTP2Fields {
    let bytes: UnsafeRawBufferPointer
    let entries: UnsafeBufferPointer<HTTP2Fields.Entry>

    /// Calls a closure with each field in order.
    package func forEach(_ body: (_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> Void) {
        for entry in entries {
            body(HTTP2Fields.name(of: entry, in: bytes), HTTP2Fields.value(of: entry, in: bytes))
        }
    }
}

extension HTTP2Fields: CustomStringConvertible {
    /// Names only: values may be secrets.
    public var description: String {
        bytes.withUnsafeBytes { bytes in
            entries.map { String(decoding: Self.name(of: $0, in: bytes), as: UTF8.self) }
                .joined(separator: ", ")
        }
    }
}
