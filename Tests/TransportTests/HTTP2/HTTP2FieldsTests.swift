import Testing

@testable import Transport

struct HTTP2FieldsTests {
    @Test func `fields come back in order, whichever way they were appended`() {
        var fields = HTTP2Fields()
        fields.append(name: ":status", value: "200" as StaticString)
        fields.append(name: "a", value: [1, 0, 255])
        fields.append(name: "b", value: "ü" as String)
        fields.append(name: "c") { $0 += [7, 8] }
        fields.append(name: "d" as String, value: "")
        var seen: [(String, [UInt8])] = []
        fields.forEach { seen.append((String(decoding: $0, as: UTF8.self), Array($1))) }
        #expect(seen.map(\.0) == [":status", "a", "b", "c", "d"])
        #expect(seen.map(\.1) == [Array("200".utf8), [1, 0, 255], Array("ü".utf8), [7, 8], []])
        #expect(fields.count == 5)
    }

    @Test func `a value that was written last is written anew in its place`() {
        var fields = HTTP2Fields()
        fields.append(name: "a", value: "1" as StaticString)
        fields.append(name: "c", value: "3" as StaticString)
        fields.append(name: "b") { $0 += Array("a longer value".utf8) }
        fields.moveLast(to: 1)
        for value in ["2", "", "something longer still", "2"] {
            fields.rewriteValue(at: 1) { $0 += Array(value.utf8) }
            #expect(fields.description == "a, b, c")
            #expect(fields.first(named: "b") == value)
            #expect(fields.first(named: "a") == "1" && fields.first(named: "c") == "3")
            #expect(fields.listByteCount == 3 * 32 + 5 + value.utf8.count)
        }
    }

    @Test func `the size counts 32 bytes for each field`() {
        var fields = HTTP2Fields()
        #expect(fields.listByteCount == 0)
        fields.append(name: "name", value: "value" as StaticString)
        #expect(fields.listByteCount == 41)
    }

    @Test func `the first of several values counts, and a name is found whole only`() {
        var fields = HTTP2Fields()
        fields.append(name: "apns-id", value: "1" as StaticString)
        fields.append(name: "apns-id", value: "2" as StaticString)
        #expect(fields.first(named: "apns-id") == "1")
        #expect(fields.first(named: "apns") == nil)
        #expect(fields.first(named: "apns-id2") == nil)
        #expect(fields.first(named: "") == nil)
    }

    @Test func `an emptied list is used again`() {
        var fields = HTTP2Fields()
        for round in 0..<3 {
            fields.append(name: "x", value: "\(round)" as String)
            #expect(fields.first(named: "x") == "\(round)")
            fields.removeAll()
            #expect(fields.count == 0)
            #expect(fields.listByteCount == 0)
            #expect(fields.first(named: "x") == nil)
        }
    }

    @Test func `a description holds names and no values`() {
        var fields = HTTP2Fields()
        fields.append(name: "authorization", value: "bearer secret" as StaticString)
        #expect(fields.description == "authorization")
    }

    @Test func `a copy does not see what is appended later`() {
        var fields = HTTP2Fields()
        fields.append(name: "a", value: "1" as StaticString)
        let copy = fields
        fields.append(name: "b", value: "2" as StaticString)
        #expect(copy.count == 1)
        #expect(copy.first(named: "b") == nil)
    }
}
