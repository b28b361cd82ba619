import Crypto
import Testing

/// Certificates made once for all tests; the clock is real only because OpenSSL's check uses it.
struct TLSFixtures {
    static let shared = Result { try TLSFixtures() }

    let authority: CertificateAuthority
    let otherAuthority: CertificateAuthority
    let server: Identity
    let client: Identity

    static func get() throws -> TLSFixtures { try shared.get() }

    static var now: Int64 { TestClock.secondsSince1970 }
    static var validity: CertificateValidity { .days(30, from: now) }

    private init() throws {
        authority = try CertificateAuthority(commonName: "Test CA", validity: Self.validity)
        otherAuthority = try CertificateAuthority(commonName: "Other CA", validity: Self.validity)
        server = try authority.issueServerIdentity(
            hostNames: ["localhost", "127.0.0.1", "::1", "*.example.com"], validity: Self.validity)
        client = try authority.issueClientIdentity(commonName: "a client", validity: Self.validity)
    }
}
