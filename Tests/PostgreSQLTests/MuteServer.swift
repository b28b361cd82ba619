import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A port that takes connections and says nothing, as a server behind a network that drops packets.
final class MuteServer {
    private let descriptor: Int32
    let port: UInt16

    init() throws {
        #if canImport(Glibc)
        let type = Int32(SOCK_STREAM.rawValue)
        #else
        let type = SOCK_STREAM
        #endif
        descriptor = socket(AF_INET, type, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = descriptor
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                guard bind(descriptor, pointer, size) == 0, listen(descriptor, 64) == 0 else {
                    return Int32(-1)
                }
                return getsockname(descriptor, pointer, &size)
            }
        }
        port = UInt16(bigEndian: address.sin_port)
        try #require(result == 0)
        try #require(fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0)
    }

    /// How many connections were made until now; each is counted once.
    func acceptedCount() -> Int {
        var count = 0
        while true {
            let accepted = accept(descriptor, nil, nil)
            guard accepted >= 0 else { return count }
            close(accepted)
            count += 1
        }
    }

    deinit { close(descriptor) }
}
