/// The first bytes of a peer, to tell what it speaks if it does not speak TLS.
struct Greeting {
    /// How many bytes are looked at.
    static let byteCount = 8

    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The error that these bytes show, or nil if they may be TLS.
    var error: CryptoError? {
        // A TLS record starts with its kind, 0x14 to 0x17, and the major version 3 (RFC 8446 §5.1).
        guard let first = bytes.first else { return nil }
        let isRecord = (0x14...0x17).contains(first) && (bytes.count < 2 || bytes[1] == 3)
        guard !isRecord else { return nil }
        return CryptoError(.notTLS, "the peer speaks no TLS\(guess)")
    }

    private var guess: String {
        if bytes.starts(with: "HTTP/".utf8) { return ": it answers in plain HTTP" }
        if bytes.starts(with: "PRI * HT".utf8) { return ": it speaks HTTP/2 in plain text" }
        if bytes.starts(with: "SSH-".utf8) { return ": it is an SSH server" }
        if bytes.first == 0 && bytes.count > 3 && bytes[3] == 4 { return ": it speaks HTTP/2 in plain text" }
        let methods = ["GET ", "POST ", "PUT ", "HEAD ", "DELETE ", "OPTIONS ", "PATCH ", "CONNECT "]
        if methods.contains(where: { bytes.starts(with: $0.utf8.prefix(Greeting.byteCount)) }) {
            return ": it sent a plain HTTP request"
        }
        return ": its first bytes are not those of a TLS record"
    }
}
