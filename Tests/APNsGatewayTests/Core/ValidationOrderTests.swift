import APNs
import Testing

@testable import APNsGateway

/// Two faults in one request: the one that is checked earlier is answered.
struct ValidationOrderTests {
    struct Fault: Sendable {
        let reason: Reason
        let spoil: @Sendable (inout Attempt) -> Void

        init(_ reason: Reason, _ spoil: @escaping @Sendable (inout Attempt) -> Void) {
            self.reason = reason
            self.spoil = spoil
        }
    }

    struct Attempt {
        var fields: [String: String] = [:]
        var token = TestConnection.token
        var isRepeated = false
        var body = "{}"
        var verdict = TokenVerdict.accepted(device: 1)
    }

    /// In the order of validation. A fault that hides another by nature is listed once.
    static let faults: [Fault] = [
        Fault(.badPath) { $0.fields[":path"] = "/nowhere" },
        Fault(.methodNotAllowed) { $0.fields[":method"] = "GET" },
        Fault(.duplicateHeaders) { $0.isRepeated = true },
        Fault(.missingProviderToken) { $0.fields["authorization"] = "" },
        Fault(.missingDeviceToken) { $0.token = "" },
        Fault(.badMessageID) { $0.fields["apns-id"] = "x" },
        Fault(.badExpirationDate) { $0.fields["apns-expiration"] = "x" },
        Fault(.badPriority) { $0.fields["apns-priority"] = "x" },
        Fault(.badCollapseID) { $0.fields["apns-collapse-id"] = String(repeating: "x", count: 65) },
        Fault(.invalidPushType) { $0.fields["apns-push-type"] = "x" },
        Fault(.missingTopic) { $0.fields["apns-topic"] = "" },
        Fault(.payloadEmpty) { $0.body = "" },
        Fault(.badDeviceToken) { if !$0.token.isEmpty { $0.token = "xyz" } },
        Fault(.deviceTokenNotForTopic) { $0.verdict = .notForTopic },
    ]

    @Test(arguments: faults.indices)
    func `of two faults the earlier one is answered`(first: Int) {
        for second in Self.faults.indices where second >= first {
            var attempt = Attempt()
            Self.faults[first].spoil(&attempt)
            Self.faults[second].spoil(&attempt)
            #expect(
                answer(to: attempt) == Self.faults[first].reason,
                "\(Self.faults[first].reason) before \(Self.faults[second].reason)")
        }
    }

    private func answer(to attempt: Attempt) -> Reason? {
        var connection = TestConnection()
        connection.directory.verdicts[attempt.token.lowercased()] = attempt.verdict
        var fields = Dictionary(connection.fields) { first, _ in first }
        fields[":path"] = "/3/device/" + attempt.token
        fields.merge(attempt.fields) { _, new in new }
        var list = fields.map { ($0.key, $0.value) }
        if attempt.isRepeated { list.append(("apns-topic", "again.example")) }
        return connection.send(list, body: attempt.body).rejection?.reason
    }
}
