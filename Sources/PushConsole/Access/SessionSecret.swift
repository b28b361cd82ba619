internal import Crypto

/// What a signed-in browser holds in its cookie; the store has only its digest.
struct SessionSecret: Sendable, Hashable {
    private let bytes: [UInt8]

    /// The cookie's name.
    static let cookieName = "belfry_session"
    /// How long somebody stays signed in, in seconds.
    static let lifetimeSeconds: Int64 = 12 * 3600

    private static let byteCount = 32

    /// Makes a new one.
    static func random() -> SessionSecret { SessionSecret(RandomBytes.make(count: byteCount)) }

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Reads a cookie's value.
    init?(_ text: String) {
        guard text.utf8.count <= 64, let bytes = Base64.decode(Array(text.utf8), .url),
            bytes.count == Self.byteCount
        else { return nil }
        self.bytes = bytes
    }

    /// The cookie's value.
    var text: String { Base64.encodeToString(bytes, .url) }

    /// What the store knows it by.
    var digest: [UInt8] { SHA256.digest(of: bytes) }

    /// What forms carry to prove that they were made for this session.
    var formToken: String {
        Base64.encodeToString(HMACSHA256.authenticationCode(for: Array("form".utf8), key: bytes), .url)
    }

    /// Whether a text is this session's token for forms, in constant time.
    func isFormToken(_ text: String) -> Bool {
        ConstantTime.areEqual(Array(text.utf8), Array(formToken.utf8))
    }
}
