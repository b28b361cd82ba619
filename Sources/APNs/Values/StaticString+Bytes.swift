extension StaticString {
    /// Whether the text has exactly these bytes; compares without making a string.
    @inline(__always)
    func hasBytes(_ bytes: UnsafeRawBufferPointer) -> Bool {
        utf8CodeUnitCount == bytes.count
            && withUTF8Buffer { UnsafeRawBufferPointer($0).elementsEqual(bytes) }
    }
}
