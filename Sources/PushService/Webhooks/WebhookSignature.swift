internal import Crypto
public import Recurrence

/// The proof that a webhook's request is ours: `X-Belfry-Signature: t=<seconds since 1970>,v1=<hex>`.
///
/// The digest is HMAC-SHA256 with the webhook's secret over `<t>.<body>`. The time is signed too, so that a receiver
/// can refuse old requests that somebody repeats.
public enum WebhookSignature {
    /// The header's name.
    public static let headerName = "X-Belfry-Signature"
    /// How old a request may be for ``isValid(_:body:secret:now:toleranceSeconds:)``, in seconds.
    public static let toleranceSecondsDefault: Int64 = 300

    /// The header's value.
    public static func value(body: [UInt8], secret: String, at instant: Instant) -> String {
        let time = String(instant.secondsSince1970)
        return "t=\(time),v1=\(hexadecimal(digest(time: time, body: body, secret: secret)))"
    }

    /// Whether a header's value belongs to a body, as receivers check it; takes the same time for every wrong digest.
    public static func isValid(
        _ value: String, body: [UInt8], secret: String, now: Instant,
        toleranceSeconds: Int64 = toleranceSecondsDefault
    ) -> Bool {
        var time: Substring?
        var digests: [Substring] = []
        for part in value.split(separator: ",") {
            if part.hasPrefix("t=") { time = part.dropFirst(2) }
            if part.hasPrefix("v1=") { digests.append(part.dropFirst(3)) }
        }
        guard let time, let seconds = Int64(time) else { return false }
        let (age, isOverflow) = now.secondsSince1970.subtractingReportingOverflow(seconds)
        guard !isOverflow, age.magnitude <= toleranceSeconds.magnitude else { return false }
        let expected = Array(hexadecimal(digest(time: String(time), body: body, secret: secret)).utf8)
        return digests.contains { ConstantTime.areEqual(Array($0.utf8), expected) }
    }

    private static func digest(time: String, body: [UInt8], secret: String) -> [UInt8] {
        HMACSHA256.authenticationCode(for: Array(time.utf8) + [0x2e] + body, key: Array(secret.utf8))
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(
            decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// A new secret: 32 random bytes in hexadecimal digits, with a prefix that tells people what it is.
    public static func makeSecret() -> String { "whsec_" + hexadecimal(RandomBytes.make(count: 32)) }
}
