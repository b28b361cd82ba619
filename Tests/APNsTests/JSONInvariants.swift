import FoundationEssentials

@testable import APNs

/// What must hold for any bytes that are read as JSON: nothing, or what Foundation's decoder reads.
enum JSONInvariants {
    /// A sentence about what does not hold, or nil.
    static func text(_ text: [UInt8]) -> String? {
        let document: JSONDocument
        do {
            document = try JSONDocument(parsing: text)
        } catch {
            guard error.code == .invalidJSON, error.message.hasPrefix("line ") else { return "\(error)" }
            return nil
        }
        guard let encoded = try? document.value.encoded() else { return "a value cannot be written" }
        guard (try? JSONValue(parsing: encoded)) == document.value else {
            return "a value changes when it is written and read"
        }
        // Of a repeated key Foundation may take another value.
        guard document.repeatedKeys.isEmpty else { return nil }
        // In an array, for some decoders want one around texts and numbers.
        let data = Data([0x5b] + text + [0x5d])
        guard let foundation = try? JSONDecoder().decode([JSONValue].self, from: data) else {
            return "Foundation does not read it"
        }
        // Without fractions and exponents every number has to be the same to the last digit.
        let isExact = !text.contains { $0 == 0x2e || $0 == 0x65 || $0 == 0x45 }
        let isSame =
            isExact
            ? foundation.map(plain) == [plain(document.value)]
            : areAlike(.array(foundation), [document.value])
        return isSame ? nil : "Foundation reads \(foundation)"
    }

    /// Whether values are the same but for large numbers with a fraction or exponent.
    ///
    /// Foundation's decoder goes over decimals there and cuts: of `9223372036854775.807` it makes the integer
    /// 9223372036854775, though the nearest 64-bit floating point number is 9223372036854776.
    private static func areAlike(_ one: JSONValue, _ other: JSONValue) -> Bool {
        switch (one, other) {
        case (.array(let ones), .array(let others)):
            return ones.count == others.count && zip(ones, others).allSatisfy(areAlike)
        case (.object(let ones), .object(let others)):
            return ones.count == others.count
                && ones.allSatisfy { key, value in others[key].map { areAlike(value, $0) } ?? false }
        default:
            guard let number = number(one), let otherNumber = Self.number(other) else { return one == other }
            if number == otherNumber { return true }
            return number.magnitude >= 0x1p52 && abs(number / otherNumber - 1) < 1e-15
        }
    }

    /// -9223372036854775809 is a number to Foundation, and here the integer that `Double` has for it.
    private static func plain(_ value: JSONValue) -> JSONValue {
        switch value {
        case .number(let number): Int64(exactly: number).map(JSONValue.integer) ?? value
        case .array(let values): .array(values.map(plain))
        case .object(let members): .object(members.mapValues(plain))
        default: value
        }
    }

    private static func number(_ value: JSONValue) -> Double? {
        switch value {
        case .integer(let integer): Double(integer)
        case .number(let number): number
        default: nil
        }
    }
}
