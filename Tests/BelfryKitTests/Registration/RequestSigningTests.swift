import Foundation
import Recurrence
import Testing

@testable import BelfryKit

struct RequestSigningTests {
    @Test func `the signature is that of the service's documentation`() {
        let signature = ServiceClient.signature(
            key: "UtOCzqb67d3sN12Kts4URwy8", at: Instant(millisecondsSince1970: 1_453_014_943_466))
        #expect(signature == "d5bcbb897e19b2f6633c716dfdfaf9be,1453014943466")
    }

    @Test(arguments: [
        ("", "d41d8cd98f00b204e9800998ecf8427e"), ("a", "0cc175b9c0f1b6a831c399e269772661"),
        ("message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
        ("abcdefghijklmnopqrstuvwxyz", "c3fcd3d76192e4007dfb496cca67e13b"),
        (
            "12345678901234567890123456789012345678901234567890123456789012345678901234567890",
            "57edf4a22be3c955ac49da2e2107b67a"
        ),
    ])
    func `digests are those of RFC 1321`(text: String, digest: String) {
        #expect(MD5Digest.hexadecimal(of: Array(text.utf8)) == digest)
    }

    /// Digests of so many letters x, from another implementation.
    @Test(arguments: [
        (55, "04364420e25c512fd958a70738aa8f72"), (56, "668a72d5ba17f08e62dabcafad6db14b"),
        (63, "7dc2ca208106a2f703567bdff99d8981"), (64, "c1bb4f81d892b2d57947682aeb252456"),
        (65, "1bc932052302d074bdec39795fe00cf6"), (119, "ab347a5f68c8a443cfcddc633f12c24f"),
        (120, "fb98667f98096de92620b64f46e1c5b5"),
    ])
    func `blocks end where they should`(count: Int, digest: String) {
        #expect(MD5Digest.hexadecimal(of: [UInt8](repeating: 0x78, count: count)) == digest)
    }

    @Test func `an address with a path of its own keeps it`() throws {
        let url = try #require(URL(string: "https://example.org/push/"))
        let client = ServiceClient(
            address: PushServiceAddress(url: url, applicationID: "a", applicationKey: "k"),
            transport: TestService())
        let request = try client.request(
            ["b": 1, "a": "x/y"], to: "installations", at: .init(secondsSince1970: 0))
        #expect(request.url.absoluteString == "https://example.org/push/1.1/installations")
        #expect(String(decoding: request.body, as: UTF8.self) == #"{"a":"x/y","b":1}"#)
    }
}
