import APNs
import Testing

@testable import APNsGateway

/// Which key may follow which on one connection (Apple: Establishing a token-based connection to APNs).
struct KeyScopeTests {
    private static let team = Provider(keyID: "TEAMKEY001")
    private static let otherTeamKey = Provider(keyID: "TEAMKEY002")
    private static let sandboxTeamKey = Provider(keyID: "TEAMKEY003")
    private static let topic = Provider(keyID: "TOPICKEY01")
    private static let related = Provider(keyID: "TOPICKEY02")
    private static let unrelated = Provider(keyID: "TOPICKEY03")
    private static let sandboxTopic = Provider(keyID: "TOPICKEY04")
    private static let foreign = Provider(keyID: "FOREIGNKEY", teamID: "OTHERTEAM0")

    private static let keys: [ProviderKey] = [
        team.key(), otherTeamKey.key(environments: [.production]),
        sandboxTeamKey.key(environments: [.sandbox]),
        topic.key(
            scope: .topics([TestConnection.topic], relatedKeyID: "TOPICKEY02"), environments: [.production]),
        related.key(
            scope: .topics([TestConnection.topic], relatedKeyID: "TOPICKEY01"), environments: [.production]),
        unrelated.key(scope: .topics([TestConnection.topic]), environments: [.production]),
        sandboxTopic.key(
            scope: .topics([TestConnection.topic], relatedKeyID: "TOPICKEY01"), environments: [.sandbox]),
        foreign.key(),
    ]

    static let successions: [(first: Provider, second: Provider, reason: Reason?)] = [
        (team, team, nil),
        (team, otherTeamKey, nil),
        (team, sandboxTeamKey, .badEnvironmentKeyIDInToken),
        (team, topic, .unrelatedKeyIDInToken),
        (team, foreign, .invalidProviderToken),
        (topic, topic, nil),
        (topic, related, nil),
        (related, topic, nil),
        (topic, unrelated, .unrelatedKeyIDInToken),
        (topic, sandboxTopic, .badEnvironmentKeyIDInToken),
        (topic, team, .unrelatedKeyIDInToken),
        (topic, foreign, .invalidProviderToken),
    ]

    @Test(arguments: successions)
    func `the first accepted push binds the connection`(first: Provider, second: Provider, reason: Reason?) {
        var connection = TestConnection(keys: Self.keys)
        #expect(connection.complete(["authorization": first.authorization()]).verdict.rejection == nil)
        // Late enough that the rule for new tokens does not apply.
        connection.advance(seconds: 1300)
        let verdict = connection.complete([
            "authorization": second.authorization(issuedAt: Provider.nowSeconds + 1300)
        ]).verdict
        #expect(verdict.rejection?.reason == reason)
        #expect(verdict.status == (reason == nil ? 200 : 403))
    }

    @Test func `before a push is accepted the connection is not bound`() {
        var connection = TestConnection(keys: Self.keys)
        let first = connection.complete([
            "authorization": Self.foreign.authorization(), "apns-topic": nil,
        ]).verdict
        #expect(first.rejection == Rejection(.missingTopic))
        #expect(connection.complete(["authorization": Self.team.authorization()]).verdict.rejection == nil)
        #expect(
            connection.complete(["authorization": Self.foreign.authorization()]).verdict.rejection
                == Rejection(.invalidProviderToken))
    }

    @Test func `related keys may be used in turn`() {
        var connection = TestConnection(keys: Self.keys)
        for _ in 0..<10 {
            for provider in [Self.topic, Self.related] {
                let verdict = connection.complete(["authorization": provider.authorization()]).verdict
                #expect(verdict.rejection == nil)
            }
        }
    }

    @Test func `a topic key pushes to its topics and their suffixes only`() {
        var connection = TestConnection(keys: Self.keys)
        let authorization = Self.topic.authorization()
        func push(_ topic: String, _ type: PushType) -> Rejection? {
            connection.push([
                "authorization": authorization, "apns-topic": topic, "apns-push-type": type.rawValue,
            ]).rejection
        }
        #expect(push(TestConnection.topic, .alert) == nil)
        #expect(push(TestConnection.topic + ".voip", .voip) == nil)
        #expect(push("com.example.other", .alert) == Rejection(.topicDisallowed))
        #expect(push(TestConnection.topic + ".other", .alert) == Rejection(.topicDisallowed))
    }

    @Test func `what is known of a topic is asked again for another key`() {
        var one = Provider(keyID: "ONE")
        one.teamID = "T"
        var two = Provider(keyID: "TWO")
        two.teamID = "T"
        let connectionKeys = [
            one.key(scope: .topics(["a.b"], relatedKeyID: "TWO")),
            two.key(scope: .topics(["c.d"], relatedKeyID: "ONE")),
        ]
        var connection = TestConnection(keys: connectionKeys)
        func push(_ provider: Provider, _ topic: String) -> Rejection? {
            connection.complete(["authorization": provider.authorization(), "apns-topic": topic]).verdict
                .rejection
        }
        for _ in 0..<3 {
            #expect(push(one, "a.b") == nil)
            #expect(push(one, "c.d") == Rejection(.topicDisallowed))
            #expect(push(two, "c.d") == nil)
            #expect(push(two, "a.b") == Rejection(.topicDisallowed))
        }
    }

    @Test func `a key of the other environment is refused before all else about keys`() {
        var connection = TestConnection(keys: Self.keys)
        let verdict = connection.complete(["authorization": Self.sandboxTeamKey.authorization()]).verdict
        #expect(verdict.rejection == Rejection(.badEnvironmentKeyIDInToken, status: 403))
        #expect(connection.machine.maxConcurrentStreams == 1)
    }

    @Test func `many topics on a connection are all told apart`() {
        var connection = TestConnection()
        for round in 0..<3 {
            for index in 0..<200 {
                let verdict = connection.push(["apns-topic": "com.example.app\(index)"])
                #expect(verdict.topic?.rawValue == "com.example.app\(index)", "round \(round)")
                #expect(verdict.rejection == nil)
            }
        }
    }
}
