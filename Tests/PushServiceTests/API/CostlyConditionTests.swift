import APNs
import PushStore
import Recurrence
import Testing

@testable import PushService

/// Conditions that would keep a reader busy: LeanCloud's code for what is too expensive, and nobody waits.
@Suite(.timeLimit(.minutes(5))) struct CostlyConditionTests {
    @Test(arguments: ["/1.1/installations", "/1.1/scan/classes/_Installation"])
    func `a condition that takes too long is given up with code 124`(path: String) async throws {
        // Time for nothing: what takes more than some hundred steps of SQLite is given up.
        let configuration = SQLiteStore.Configuration(queryMillisecondsMax: 0)
        try await APIFixture.with(configuration: configuration) { fixture in
            let rows = (0..<500).map {
                ImportedInstallation(fields: [
                    "objectId": .string("a\($0)"), "deviceToken": .string(String(0x10000 + $0, radix: 16)),
                    "name": "x",
                ])
            }
            _ = try await fixture.store.importInstallations(
                rows, app: fixture.app.number, now: fixture.now)
            let answer = try await fixture.send(
                "GET", path, query: [("where", #"{"name":{"$regex":"y$"}}"#)], key: .master)
            #expect(answer.status == 400 && answer.code == 124, "\(answer.text)")
            // One row is looked up all the same.
            #expect(try await fixture.send("GET", "/1.1/installations/a1").json["name"] == "x")
        }
    }

    @Test func `a pattern that backtracks without end is refused with code 124`() async throws {
        try await APIFixture.with { fixture in
            try await fixture.install("aa", ["name": .string(String(repeating: "a", count: 40) + "!")])
            let answer = try await fixture.send(
                "GET", "/1.1/installations", query: [("where", #"{"name":{"$regex":"^(a+)+$"}}"#)],
                key: .master)
            #expect(answer.status == 400 && answer.code == 124, "\(answer.text)")
            #expect(!answer.text.lowercased().contains("sql"))
        }
    }
}
