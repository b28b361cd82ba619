/// Ascending row numbers as bytes: each as its distance from the one before, seven bits a byte.
public enum NumberList {
    /// Writes numbers, which ascend strictly and are above 0.
    public static func encode(_ numbers: [Int64]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(numbers.count * 2)
        var last: Int64 = 0
        for number in numbers {
            precondition(number > last, "numbers of a batch ascend")
            append(UInt64(number - last), to: &bytes)
            last = number
        }
        return bytes
    }

    /// Reads numbers; nil for bytes that ``encode(_:)`` does not write.
    public static func decode(_ bytes: [UInt8]) -> [Int64]? {
        var numbers: [Int64] = []
        numbers.reserveCapacity(bytes.count / 2)
        var last: Int64 = 0
        var value: UInt64 = 0
        var shift: UInt64 = 0
        for byte in bytes {
            // No number is longer than it has to be.
            guard shift < 63, byte != 0 || shift == 0 else { return nil }
            value |= UInt64(byte & 0x7f) << shift
            if byte & 0x80 != 0 {
                shift += 7
                continue
            }
            let (sum, overflow) = last.addingReportingOverflow(Int64(truncatingIfNeeded: value))
            guard !overflow, sum > last else { return nil }
            last = sum
            numbers.append(sum)
            value = 0
            shift = 0
        }
        return shift == 0 ? numbers : nil
    }

    /// Writes any numbers from 0, in any order, each by itself.
    public static func encodeEach(_ numbers: [Int64]) -> [UInt8] {
        var bytes: [UInt8] = []
        for number in numbers { append(UInt64(max(0, number)), to: &bytes) }
        return bytes
    }

    /// Reads what ``encodeEach(_:)`` wrote; nil for anything else.
    public static func decodeEach(_ bytes: [UInt8]) -> [Int64]? {
        var numbers: [Int64] = []
        var value: UInt64 = 0
        var shift: UInt64 = 0
        for byte in bytes {
            guard shift < 63, byte != 0 || shift == 0 else { return nil }
            value |= UInt64(byte & 0x7f) << shift
            if byte & 0x80 != 0 {
                shift += 7
                continue
            }
            numbers.append(Int64(truncatingIfNeeded: value))
            value = 0
            shift = 0
        }
        return shift == 0 ? numbers : nil
    }

    private static func append(_ number: UInt64, to bytes: inout [UInt8]) {
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(rest & 0x7f) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }
}
