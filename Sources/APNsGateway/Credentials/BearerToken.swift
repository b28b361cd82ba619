/// Finds the token in the value of the header authorization.
package enum BearerToken {
    /// The bytes after the scheme.
    ///
    /// - Returns: nil when the scheme is not bearer or nothing follows it; APNs answers MissingProviderToken.
    package static func find(
        in authorization: UnsafeRawBufferPointer, ignoringCase: Bool
    ) -> UnsafeRawBufferPointer? {
        guard authorization.count > 7, authorization[6] == 0x20 else { return nil }
        let scheme: StaticString = "bearer"
        let matches = scheme.withUTF8Buffer { expected in
            (0..<6).allSatisfy { index in
                let byte = authorization[index]
                return byte == expected[index] || ignoringCase && byte | 0x20 == expected[index]
            }
        }
        guard matches else { return nil }
        let start = authorization[7...].firstIndex { $0 != 0x20 }
        return start.map { authorization.suffix(from: $0) }
    }
}
