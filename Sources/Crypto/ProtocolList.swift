/// Application protocol names in the wire form of ALPN (RFC 7301 §3.1): each after its length byte.
final class ProtocolList: Sendable {
    let bytes: [UInt8]
    /// A copy of `bytes` that does not move; OpenSSL points into it while a handshake runs.
    ///
    /// `nonisolated(unsafe)`: written in `init` only.
    nonisolated(unsafe) private let storage: UnsafeMutableBufferPointer<UInt8>

    init(_ names: [String]) throws(CryptoError) {
        var bytes: [UInt8] = []
        for name in names {
            guard (1...255).contains(name.utf8.count) else {
                throw CryptoError(
                    .invalidArgument,
                    "an application protocol has 1 to 255 bytes; \"\(name)\" has \(name.utf8.count)")
            }
            bytes.append(UInt8(name.utf8.count))
            bytes += name.utf8
        }
        guard bytes.count <= UInt16.max else {
            throw CryptoError(.invalidArgument, "too many application protocols")
        }
        self.bytes = bytes
        storage = .allocate(capacity: bytes.count)
        _ = storage.initialize(from: bytes)
    }

    deinit {
        storage.deallocate()
    }

    /// The first protocol of this list that is also among those offered; points into this object.
    func choice(from offered: UnsafePointer<UInt8>, count: Int) -> UnsafeBufferPointer<UInt8>? {
        let offered = UnsafeBufferPointer(start: offered, count: count)
        var own = 0
        while own < storage.count {
            let name = storage[own + 1...own + Int(storage[own])]
            var other = 0
            while other < offered.count {
                let end = other + 1 + Int(offered[other])
                guard end <= offered.count else { return nil }
                if name.elementsEqual(offered[other + 1..<end]) {
                    return UnsafeBufferPointer(UnsafeMutableBufferPointer(rebasing: name))
                }
                other = end
            }
            own += 1 + name.count
        }
        return nil
    }
}
