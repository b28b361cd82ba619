internal import CLibuv

/// An IP address with a port, as the kernel takes it.
struct SocketAddress: Sendable {
    private let storage: sockaddr_storage

    /// Copies what the resolver answered.
    init(copying address: UnsafePointer<sockaddr>, byteCount: Int) {
        var storage = belfry_empty_address()
        withUnsafeMutableBytes(of: &storage) { bytes in
            bytes.copyMemory(from: UnsafeRawBufferPointer(start: address, count: min(byteCount, bytes.count)))
        }
        self.storage = storage
    }

    /// Reads an IPv4 or IPv6 literal; nil for a name.
    init?(literal: String, port: Int) {
        guard (0...65535).contains(port) else { return nil }
        var storage = belfry_empty_address()
        let isAddress = withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                uv_ip4_addr(literal, Int32(port), $0) == 0
            }
                || pointer.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
                    uv_ip6_addr(literal, Int32(port), $0) == 0
                }
        }
        guard isAddress else { return nil }
        self.storage = storage
    }

    /// The address in numbers, without its port.
    var text: String { withPointer { Self.text(of: $0) } }

    func withPointer<Result>(_ body: (UnsafePointer<sockaddr>) -> Result) -> Result {
        withUnsafePointer(to: storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1, body)
        }
    }

    static func text(of address: UnsafePointer<sockaddr>) -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { name in
            guard let base = name.baseAddress, belfry_uv_ip_name(address, base, name.count) == 0 else {
                return ""
            }
            return String(cString: base)
        }
    }

    static func port(of address: UnsafePointer<sockaddr>) -> Int {
        Int(belfry_uv_ip_port(address))
    }
}
