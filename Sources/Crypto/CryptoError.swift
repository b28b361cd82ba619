/// An error of the crypto module: what kind, and a sentence that says what is wrong and how to mend it.
///
/// Messages name the field, what was found and what is allowed. They never hold key material or passwords.
public struct CryptoError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of an error; an open set, so that kinds can be added.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The name of the kind, stable enough to be logged and compared.
        public let description: String

        private init(_ name: String) {
            description = name
        }

        /// A file or text that should hold PEM blocks does not.
        public static let invalidPEM = Code("invalidPEM")
        /// A private or public key cannot be read.
        public static let invalidKey = Code("invalidKey")
        /// A key is of the wrong kind or curve for the purpose.
        public static let wrongKeyType = Code("wrongKeyType")
        /// A certificate cannot be read.
        public static let invalidCertificate = Code("invalidCertificate")
        /// A PKCS#12 file (.p12, .pfx) cannot be read.
        public static let invalidPKCS12 = Code("invalidPKCS12")
        /// The file is encrypted and no password was given.
        public static let passwordNeeded = Code("passwordNeeded")
        /// The password is wrong.
        public static let wrongPassword = Code("wrongPassword")
        /// The file is encrypted with an algorithm this OpenSSL cannot use.
        public static let unsupportedEncryption = Code("unsupportedEncryption")
        /// The private key does not belong to the certificate.
        public static let keyMismatch = Code("keyMismatch")
        /// A value handed to this module by its caller is not allowed.
        public static let invalidArgument = Code("invalidArgument")
        /// The peer's certificate is for another host.
        public static let hostnameMismatch = Code("hostnameMismatch")
        /// The peer's certificate is outside its validity period.
        public static let certificateExpired = Code("certificateExpired")
        /// The peer's certificate does not lead to a trusted one.
        public static let untrustedCertificate = Code("untrustedCertificate")
        /// The two sides have no application protocol (ALPN) in common.
        public static let noApplicationProtocol = Code("noApplicationProtocol")
        /// The two sides have no TLS version in common.
        public static let unsupportedVersion = Code("unsupportedVersion")
        /// The peer does not speak TLS.
        public static let notTLS = Code("notTLS")
        /// The peer ended the connection with a TLS alert.
        public static let peerAlert = Code("peerAlert")
        /// The peer closed the connection without a TLS close.
        public static let truncated = Code("truncated")
        /// The peer broke the TLS protocol, or data was damaged on the way.
        public static let protocolViolation = Code("protocolViolation")
        /// The session cannot do this any more, or cannot do it yet.
        public static let invalidState = Code("invalidState")
        /// OpenSSL failed in a way that has no better name.
        public static let internalFailure = Code("internalFailure")
    }

    /// What kind of error this is.
    public let code: Code
    /// What is wrong, in a sentence for the operator.
    public let message: String

    /// Makes an error.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The message.
    public var description: String { message }
}
