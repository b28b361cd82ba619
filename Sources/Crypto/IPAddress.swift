#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// An IP address literal, as certificates store it: 4 or 16 bytes.
struct IPAddress: Hashable, CustomStringConvertible {
    let bytes: [UInt8]

    /// Reads `127.0.0.1`, `::1` or `[::1]`; nil for anything else, such as a host name.
    init?(_ text: String) {
        var text = text
        if text.hasPrefix("["), text.hasSuffix("]") { text = String(text.dropFirst().dropLast()) }
        var address4 = in_addr()
        var address6 = in6_addr()
        if inet_pton(AF_INET, text, &address4) == 1 {
            bytes = withUnsafeBytes(of: &address4) { Array($0) }
        } else if inet_pton(AF_INET6, text, &address6) == 1 {
            bytes = withUnsafeBytes(of: &address6) { Array($0) }
        } else {
            return nil
        }
    }

    /// Takes the bytes of a certificate; nil unless there are 4 or 16.
    init?(bytes: some Collection<UInt8>) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        self.bytes = Array(bytes)
    }

    var description: String {
        let family = bytes.count == 4 ? AF_INET : AF_INET6
        let text = [CChar](unsafeUninitializedCapacity: Int(INET6_ADDRSTRLEN)) { buffer, count in
            count = 0
            guard inet_ntop(family, bytes, buffer.baseAddress, socklen_t(buffer.count)) != nil else { return }
            count = buffer.prefix { $0 != 0 }.count
        }
        return String(decoding: text.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
