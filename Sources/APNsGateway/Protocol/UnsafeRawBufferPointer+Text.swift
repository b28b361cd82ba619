#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

// Comparisons of bytes that arrived with constant text. `memcmp` of a constant count becomes a few loads and
// compares in the caller.
extension UnsafeRawBufferPointer {
    /// Whether these bytes are exactly a constant text.
    @inline(__always)
    func holds(_ text: StaticString) -> Bool {
        guard count == text.utf8CodeUnitCount, let baseAddress else { return false }
        return memcmp(baseAddress, text.utf8Start, text.utf8CodeUnitCount) == 0
    }

    /// Whether these bytes begin with a constant text.
    @inline(__always)
    func begins(with text: StaticString) -> Bool {
        guard count >= text.utf8CodeUnitCount, let baseAddress else { return false }
        return memcmp(baseAddress, text.utf8Start, text.utf8CodeUnitCount) == 0
    }

    /// Whether these bytes equal those of an array.
    @inline(__always)
    func holds(_ bytes: [UInt8]) -> Bool {
        guard count == bytes.count else { return false }
        guard count > 0, let baseAddress else { return true }
        return bytes.withUnsafeBytes { other in
            guard let otherAddress = other.baseAddress else { return false }
            return memcmp(baseAddress, otherAddress, count) == 0
        }
    }

    /// Whether one of these bytes is a given one.
    @inline(__always)
    func has(_ byte: UInt8) -> Bool {
        guard count > 0, let baseAddress else { return false }
        return memchr(baseAddress, Int32(byte), count) != nil
    }

    /// The bytes from an offset to the end.
    @inline(__always)
    func suffix(from offset: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: self[offset...])
    }
}
