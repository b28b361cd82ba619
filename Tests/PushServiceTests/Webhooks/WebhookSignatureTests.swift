import PushStore
import Recurrence
import Testing

@testable import PushService

@Suite struct WebhookSignatureTests {
    private let body = Array(#"{"id":"1"}"#.utf8)
    private let now = Instant(secondsSince1970: 1_800_000_000)
    private let secret = "whsec_test"

    @Test func `the digest is HMAC-SHA256 over time, dot and body`() {
        // printf '1800000000.{"id":"1"}' | openssl dgst -sha256 -hmac whsec_test
        #expect(
            WebhookSignature.value(body: body, secret: secret, at: now)
                == "t=1800000000,v1=15d2177989c694fad512568783fd1e0c20e1c480f7ab63182bf13486b475c540")
    }

    @Test func `only the right body, secret and time are valid`() {
        let value = WebhookSignature.value(body: body, secret: secret, at: now)
        func isValid(
            _ value: String, _ body: [UInt8]? = nil, _ secret: String? = nil, at seconds: Int64 = 0
        ) -> Bool {
            WebhookSignature.isValid(
                value, body: body ?? self.body, secret: secret ?? self.secret,
                now: now.advanced(bySeconds: seconds))
        }
        #expect(isValid(value))
        #expect(isValid(value, at: 300))
        #expect(!isValid(value, at: 301))
        #expect(!isValid(value, at: -301))
        #expect(!isValid(value, body + [0x20]))
        #expect(!isValid(value, nil, "other"))
        #expect(!isValid(value.replacing("t=1800000000", with: "t=1800000001")))
        #expect(isValid(value + ",v1=00"), "a receiver may be given several while a secret is replaced")
        for bad in [
            "", "t=", "v1=", "t=1800000000", "t=x,v1=00", "t=1800000000,v1=", "t=9223372036854775807,v1=0",
            "t=-9223372036854775808,v1=0",
        ] {
            #expect(!isValid(bad), "\(bad)")
        }
    }

    @Test func `secrets are long and never the same`() {
        let secrets = Set((0..<100).map { _ in WebhookSignature.makeSecret() })
        #expect(secrets.count == 100)
        #expect(secrets.allSatisfy { $0.hasPrefix("whsec_") && $0.utf8.count == 70 })
    }
}
