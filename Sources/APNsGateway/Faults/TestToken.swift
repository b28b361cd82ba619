package import APNs

/// A device token that always draws one refusal, in the way of test card numbers.
///
/// Such a token starts with `fa11`, four digits of a status and two digits of an index; anything may follow.
/// The request must be correct up to its token: a test token stands for the registry's answer.
package struct TestToken: Hashable, Sendable {
    /// The HTTP status of the refusal.
    package let status: Int
    /// Tells refusals of one status apart, from 1.
    package let index: Int
    /// The reason in the body.
    package let reason: Reason

    init(_ status: Int, _ index: Int, _ reason: Reason) {
        self.status = status
        self.index = index
        self.reason = reason
    }

    /// What the token's digits begin with.
    package var prefix: String { "fa11" + padded(status, 4) + padded(index, 2) }

    /// A whole token of 32 bytes.
    package var exampleDigits: String { prefix + String(repeating: "0", count: 54) }

    /// The refusal; with status 410 the token was invalid since one day.
    package func rejection(nowMilliseconds: Int64) -> Rejection {
        let timestamp = status == 410 ? nowMilliseconds - 86_400_000 : nil
        return Rejection(reason, status: status, timestampMilliseconds: timestamp)
    }

    /// Finds the test token that a token's digits begin with.
    @inline(__always)
    package static func find(digits: UnsafeRawBufferPointer) -> TestToken? {
        guard digits.count >= 10, digits[0] | 0x20 == UInt8(ascii: "f"),
            digits[1] | 0x20 == UInt8(ascii: "a"), digits[2] == UInt8(ascii: "1"),
            digits[3] == UInt8(ascii: "1")
        else { return nil }
        return findRow(digits: digits)
    }

    @inline(never)
    private static func findRow(digits: UnsafeRawBufferPointer) -> TestToken? {
        var number = 0
        for digit in digits[4..<10] {
            guard (0x30...0x39).contains(digit) else { return nil }
            number = number * 10 + Int(digit - 0x30)
        }
        return all.first { $0.status * 100 + $0.index == number }
    }

    private func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

extension TestToken {
    /// All test tokens: every refusal Apple documents for device pushes, and one reason nobody documents.
    package static let all: [TestToken] = [
        TestToken(400, 1, .badDeviceToken),
        TestToken(400, 2, .deviceTokenNotForTopic),
        TestToken(400, 3, .badCollapseID),
        TestToken(400, 4, .badExpirationDate),
        TestToken(400, 5, .badMessageID),
        TestToken(400, 6, .badPriority),
        TestToken(400, 7, .badTopic),
        TestToken(400, 8, .duplicateHeaders),
        TestToken(400, 9, .idleTimeout),
        TestToken(400, 10, .invalidPushType),
        TestToken(400, 11, .missingDeviceToken),
        TestToken(400, 12, .missingTopic),
        TestToken(400, 13, .payloadEmpty),
        TestToken(400, 14, .topicDisallowed),
        TestToken(400, 99, Reason("UndocumentedReason")),
        TestToken(403, 1, .badCertificate),
        TestToken(403, 2, .badCertificateEnvironment),
        TestToken(403, 3, .expiredProviderToken),
        TestToken(403, 4, .forbidden),
        TestToken(403, 5, .invalidProviderToken),
        TestToken(403, 6, .missingProviderToken),
        TestToken(403, 7, .unrelatedKeyIDInToken),
        TestToken(403, 8, .badEnvironmentKeyIDInToken),
        TestToken(404, 1, .badPath),
        TestToken(405, 1, .methodNotAllowed),
        TestToken(410, 1, .unregistered),
        TestToken(410, 2, .expiredToken),
        TestToken(413, 1, .payloadTooLarge),
        TestToken(429, 1, .tooManyRequests),
        TestToken(429, 2, .tooManyProviderTokenUpdates),
        TestToken(500, 1, .internalServerError),
        TestToken(503, 1, .serviceUnavailable),
        TestToken(503, 2, .shutdown),
    ]
}
