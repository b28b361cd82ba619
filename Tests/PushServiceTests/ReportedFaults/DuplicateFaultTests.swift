import APNs
import APNsGateway
import PushStore
import Recurrence
import Testing

@testable import PushService

/// Phones that were registered again and again, and got each push as often.
@Suite struct DuplicateFaultTests {
    /// A phone as its SDK knows it.
    private struct Phone {
        var token: String
        var installationID: String
        var objectID: String?
    }

    /// parse-server #2750, #2044, #6783; Parse Android #173; LeanCloud Objective-C SDK #529.
    @Test(arguments: 0..<6 as Range<UInt64>)
    func `registering, installing anew and restoring never makes a phone get a push twice`(
        seed: UInt64
    ) async throws {
        try await APIFixture.with { fixture in
            var random = SeededNumbers(seed: seed)
            var phones: [Phone] = []
            var made = 0
            func next() -> String {
                made += 1
                return String(repeating: "0", count: 60) + String(made + 0x1000, radix: 16)
            }
            for _ in 0..<60 {
                guard let index = phones.indices.randomElement(using: &random), random.next() % 5 > 0 else {
                    phones.append(Phone(token: next(), installationID: "id-\(next())"))
                    continue
                }
                switch random.next() % 5 {
                case 0:
                    // The app was deleted and is back: nothing is known but that the token is another.
                    phones[index] = Phone(token: next(), installationID: "id-\(next())")
                case 1:
                    // The same, and APNs gave the former token.
                    phones[index] = Phone(token: phones[index].token, installationID: "id-\(next())")
                case 2:
                    // A backup of one phone on another: the same ids, a token of its own.
                    phones[index].token = next()
                case 3: phones[index].objectID = nil
                default: break
                }
                let phone = phones[index]
                var body: [String: JSONValue] = [
                    "deviceType": "ios", "deviceToken": .string(phone.token),
                    "installationId": .string(phone.installationID),
                ]
                if let id = phone.objectID { body["objectId"] = .string(id) }
                let answer = try await fixture.send("POST", "/1.1/installations", .object(body))
                #expect(answer.status < 300, "\(answer.text)")
                phones[index].objectID = answer.objectID
                try await check(fixture, phones)
            }
        }
    }

    private func check(_ fixture: APIFixture, _ phones: [Phone]) async throws {
        let rows = try await fixture.store.installations(
            InstallationFind(limit: 1000), app: fixture.app.number, now: fixture.now)
        let tokens = rows.compactMap(\.deviceToken)
        #expect(Set(tokens).count == tokens.count, "a token is on two rows")
        let ids = rows.compactMap(\.installationID)
        #expect(Set(ids).count == ids.count, "an installation has two rows")
        for phone in phones where phone.objectID != nil {
            #expect(tokens.count { $0 == phone.token } == 1, "a phone that registered is not reached")
        }
    }

    /// LeanCloud Objective-C SDK #440; #572 and Swift SDK #226: what iOS 13 printed of a token.
    @Test(arguments: ["", "{length = 32, bytes = 0x8d2bd45c ... 6b5f9c01 }", "not a token", "abc"])
    func `a text that is no token does not become a target`(token: String) async throws {
        try await DeliveryWorld.run { world in
            let phones = try await world.addPhones(1)
            try await world.save(token, ["installationId": "broken"])
            let push = try await world.push()
            try await world.work(try world.service())
            let outcomes = try await world.outcomes(push)
            #expect(outcomes[.accepted] == 1)
            #expect(world.journal.count == 1, "nothing but the good token is sent to APNs")
            #expect(world.deliveries(phones[0]).count == 1)
            if token.isEmpty { #expect(outcomes == [.accepted: 1], "no token, no device") }
        }
    }

    /// LeanCloud Objective-C SDK #572: the form `<…>` of older systems.
    @Test func `a token in angle brackets and blanks is not a second device`() async throws {
        try await APIFixture.with { fixture in
            let id = try await fixture.install("8d2bd45c6b5f9c01")
            let again = try await fixture.send(
                "POST", "/1.1/installations", ["deviceType": "ios", "deviceToken": "<8D2BD45C 6B5F9C01>"])
            #expect(again.objectID == id, "\(again.text)")
        }
    }

    /// parse-server #3855.
    @Test func `raising badges does not change for whom a push is that asks for badges`() async throws {
        try await DeliveryWorld.run { world in
            let phones = try await world.addPhones(30, fields: ["badge": 0])
            let service = try world.service()
            for expected in [30, 0] {
                let push = try await world.push(["alert": "x", "badge": "Increment"]) {
                    $0.filter = try WhereClause(["badge": 0])
                    $0.badgeIncrement = 1
                }
                try await world.work(service)
                #expect(try await world.outcomes(push)[.accepted] ?? 0 == expected)
            }
            for phone in phones {
                #expect(world.deliveries(phone).count == 1)
                #expect(try await world.row(phone)?.badge == 1)
            }
        }
    }
}

/// Random numbers that a seed decides (SplitMix64).
private struct SeededNumbers: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}
