import APNs
import PushStore
import Testing

@testable import PushService

/// An app with one of everything, and for each operation of the API a request that asks for it.
struct OperationExample {
    /// What stands in a field of the installation that nobody else may see.
    static let privateText = "nobody-else-may-see-this"

    /// A body that each schema takes.
    private static let bodies: [String: JSONValue] = [
        "InstallationChange": ["deviceToken": "aa"], "Batch": ["requests": []],
        "Push": ["data": ["alert": "Hi"], "push_time": "2027-01-16T08:00:00Z"],
        "DevicePush": ["data": ["alert": "Hi"], "device_type": "ios", "device_ids": ["aa"]],
        "Events": ["installation": "x", "name": "read"], "Statistics": [:],
    ]

    let installation: String
    let record: String
    let message: String

    /// Makes an installation, a push with its record, and the message it is scheduled as.
    init(in fixture: APIFixture) async throws {
        installation = try await fixture.install("bb", ["installationId": .string(Self.privateText)])
        let push = try await fixture.send(
            "POST", "/1.1/push", ["data": ["alert": "Hi"], "push_time": "2027-01-16T08:00:00Z"],
            key: .master)
        record = try #require(push.objectID)
        let messages = try await fixture.send("GET", "/1.1/scheduledPushMessages", key: .master)
        message = BodyOverride.text(messages.results.first?["id"] ?? "")
    }

    func path(_ operation: APIOperation) -> String {
        let parameter =
            switch true {
            case operation.pattern.contains("nstallation"): installation
            case operation.pattern.contains("scheduledPush"): message
            case operation.pattern.contains("statistics"): "kind"
            default: record
            }
        return "/"
            + operation.segments.map { $0.first == ":" ? parameter : String($0) }.joined(separator: "/")
    }

    func query(_ operation: APIOperation) -> [(name: String, value: String)] {
        switch operation.id {
        case "explain": [("push", record), ("installation", installation)]
        case "cloudQuery": [("cql", "select * from _Installation")]
        case "listEvents": [("installation", installation)]
        default: []
        }
    }

    func body(_ operation: APIOperation) -> JSONValue? { operation.body.flatMap { Self.bodies[$0] } }
}
