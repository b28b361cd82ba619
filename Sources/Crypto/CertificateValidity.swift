/// The period in which a new certificate is to be valid.
public struct CertificateValidity: Sendable, Hashable {
    /// The first instant, in seconds since 1970.
    public var notBefore: Int64
    /// The last instant, in seconds since 1970.
    public var notAfter: Int64

    /// Takes the two ends.
    public init(notBefore: Int64, notAfter: Int64) {
        self.notBefore = notBefore
        self.notAfter = notAfter
    }

    /// A number of days from now, and one day back for peers whose clock is slow.
    public static func days(_ days: Int, from secondsSince1970: Int64) -> CertificateValidity {
        CertificateValidity(
            notBefore: secondsSince1970 - 86400, notAfter: secondsSince1970 + Int64(days) * 86400)
    }
}
