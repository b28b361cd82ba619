/// The header fields of a request, found by name in any case.
///
/// Fields of one name are joined to one: with `, ` as RFC 9110 §5.3 allows, cookies with `; `.
public struct HTTPHeaders: Sendable, Hashable, Sequence, ExpressibleByDictionaryLiteral {
    /// One field: its name as it was written, and its value.
    public struct Field: Sendable, Hashable {
        /// As the client spelt it.
        public let name: String
        /// Without surrounding blanks.
        public let value: String

        /// Makes a field.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    private var fields: [Field] = []

    /// Makes headers without fields.
    public init() {}

    /// Takes fields in order and joins those of one name.
    public init(_ fields: [Field]) {
        self.fields.reserveCapacity(fields.count)
        for field in fields { append(name: field.name, value: field.value) }
    }

    /// Takes names and values in order and joins those of one name.
    public init(dictionaryLiteral elements: (String, String)...) {
        for (name, value) in elements { append(name: name, value: value) }
    }

    /// How many different names there are.
    public var count: Int { fields.count }

    /// Adds a field, or joins its value to the field of that name.
    public mutating func append(name: String, value: String) {
        guard let index = fields.firstIndex(where: { $0.name.isSameHeaderName(as: name) }) else {
            fields.append(Field(name: name, value: value))
            return
        }
        let separator = name.isSameHeaderName(as: "cookie") ? "; " : ", "
        fields[index] = Field(name: fields[index].name, value: fields[index].value + separator + value)
    }

    /// The value of a name in any case, nil when there is none.
    public func first(named name: String) -> String? {
        fields.first { $0.name.isSameHeaderName(as: name) }?.value
    }

    /// Goes through the fields in the order of their first occurrence.
    public func makeIterator() -> IndexingIterator<[Field]> { fields.makeIterator() }
}

extension String {
    /// Header names are compared in ASCII without case (RFC 9110 §5.1).
    func isSameHeaderName(as other: String) -> Bool {
        let left = utf8
        let right = other.utf8
        return left.count == right.count
            && zip(left, right).allSatisfy { $0 == $1 || ($0.asciiLowercased == $1.asciiLowercased) }
    }
}

extension UInt8 {
    var asciiLowercased: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }

    /// A `tchar` of RFC 9110 §5.6.2: what methods and header names are made of.
    var isTokenCharacter: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"), UInt8(ascii: "&"),
            UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "^"), UInt8(ascii: "_"), UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
            true
        default:
            false
        }
    }
}
