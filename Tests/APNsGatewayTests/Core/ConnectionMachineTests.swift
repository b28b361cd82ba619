import APNs
import Testing

@testable import APNsGateway

struct ConnectionMachineTests {
    private let full = 1000

    // MARK: Stream limit

    @Test func `one stream until the first accepted token, then a thousand`() {
        var connection = TestConnection()
        #expect(connection.machine.maxConcurrentStreams == 1)
        #expect(connection.complete(["authorization": nil]).actions.maxConcurrentStreams == nil)
        #expect(connection.complete(["authorization": "bearer x"]).actions.maxConcurrentStreams == nil)
        let (verdict, actions) = connection.complete()
        #expect(verdict.rejection == nil)
        #expect(actions == ConnectionActions(maxConcurrentStreams: full))
        #expect(connection.complete().actions == .none)
        #expect(connection.machine.maxConcurrentStreams == full)
    }

    @Test func `a good token raises the limit even when the push is refused`() {
        var connection = TestConnection()
        let (verdict, actions) = connection.complete(["apns-topic": nil])
        #expect(verdict.rejection == Rejection(.missingTopic))
        #expect(actions.maxConcurrentStreams == full)
    }

    @Test func `a certificate has a thousand streams at once`() throws {
        let credential = try #require(
            CertificateCredential(
                userID: TestConnection.topic, topics: [], environments: [.production],
                validSeconds: 0...Int64.max))
        var connection = TestConnection(credential: .certificate(credential))
        #expect(connection.machine.maxConcurrentStreams == full)
        #expect(connection.complete().actions == .none)
    }

    @Test func `errors lower the limit step by step and an accepted push restores it`() {
        var connection = TestConnection()
        _ = connection.complete()
        var limits: [Int] = []
        for _ in 0..<100 {
            let actions = connection.complete(["apns-priority": "7"]).actions
            if let limit = actions.maxConcurrentStreams { limits.append(limit) }
        }
        #expect(limits == [500, 250, 125, 62, 31, 15, 7, 3, 1])
        #expect(connection.complete().actions.maxConcurrentStreams == full)
    }

    @Test func `BadDeviceToken weighs more and 410 nothing`() {
        var connection = TestConnection()
        _ = connection.complete()
        connection.directory.verdicts = [:]
        #expect(connection.complete().actions.maxConcurrentStreams == nil)
        #expect(connection.complete().actions.maxConcurrentStreams == 500)
        connection.directory.verdicts[TestConnection.token.lowercased()] = .unregistered(sinceMilliseconds: 1)
        for _ in 0..<100 {
            let (verdict, actions) = connection.complete()
            #expect(verdict.status == 410)
            #expect(actions == .none)
        }
    }

    @Test func `server errors do not count`() {
        var connection = TestConnection()
        _ = connection.complete()
        for _ in 0..<100 {
            let rejection = Rejection(.internalServerError)
            #expect(connection.machine.completed(rejection, nowMilliseconds: 0) == .none)
        }
    }

    @Test func `too many errors end the connection with the last reason, once`() {
        var policy = GatewayPolicy()
        policy.connections.errorThrottle?.closingScore = 10
        var connection = TestConnection(policy: policy)
        _ = connection.complete()
        connection.directory.verdicts = [:]
        #expect(connection.complete().actions.goAway == nil)
        #expect(connection.complete().actions.goAway == nil)
        #expect(connection.complete().actions.goAway == GoAway(.badDeviceToken))
        #expect(connection.complete().actions.goAway == nil)
    }

    @Test func `accepted pushes pay errors back`() {
        var policy = GatewayPolicy()
        policy.connections.errorThrottle?.closingScore = 5
        var connection = TestConnection(policy: policy)
        for _ in 0..<50 {
            #expect(connection.complete(["apns-priority": "7"]).actions.goAway == nil)
            #expect(connection.complete().actions.goAway == nil)
        }
    }

    @Test func `without throttle nothing happens`() {
        var policy = GatewayPolicy()
        policy.connections.errorThrottle = nil
        var connection = TestConnection(policy: policy)
        _ = connection.complete()
        for _ in 0..<5000 { #expect(connection.complete(["apns-priority": "7"]).actions == .none) }
    }

    @Test func `an imposed limit lasts for its requests`() {
        var connection = TestConnection()
        _ = connection.complete()
        let imposed = connection.machine.imposeLimit(1, forRequests: 3)
        #expect(imposed == ConnectionActions(maxConcurrentStreams: 1))
        #expect(connection.complete().actions == .none)
        #expect(connection.complete().actions == .none)
        #expect(connection.complete().actions.maxConcurrentStreams == full)
    }

    @Test func `actions of a batch merge to the last limit and the first end`() {
        var actions = ConnectionActions(maxConcurrentStreams: 1, goAway: GoAway(.shutdown))
        actions.merge(
            ConnectionActions(maxConcurrentStreams: 5, goAway: GoAway(.idleTimeout), sendsPing: true))
        actions.merge(.none)
        #expect(
            actions
                == ConnectionActions(maxConcurrentStreams: 5, goAway: GoAway(.shutdown), sendsPing: true))
    }

    // MARK: Tokens over time

    @Test func `a second new token within twenty minutes blocks the connection`() {
        var connection = TestConnection()
        #expect(connection.complete().verdict.rejection == nil)
        let first = connection.provider.authorization()
        connection.advance(seconds: 60)
        let second = connection.provider.authorization(issuedAt: Provider.nowSeconds + 60)
        let refusal = Rejection(.tooManyProviderTokenUpdates, status: 429)
        #expect(connection.complete(["authorization": second]).verdict.rejection == refusal)
        // The connection is of no use now, whatever token comes.
        #expect(connection.complete(["authorization": first]).verdict.rejection == refusal)
        connection.advance(seconds: 1139)
        #expect(connection.complete(["authorization": first]).verdict.rejection == refusal)
        connection.advance(seconds: 1)
        #expect(connection.complete(["authorization": second]).verdict.rejection == nil)
        #expect(connection.complete(["authorization": first]).verdict.rejection == nil)
    }

    @Test func `tokens may change every twenty minutes and the old one may linger`() {
        var connection = TestConnection()
        var previous = connection.provider.authorization()
        #expect(connection.complete(["authorization": previous]).verdict.rejection == nil)
        for round in 1...9 {
            connection.advance(seconds: 1200)
            let issuedAt = Provider.nowSeconds + Int64(round) * 1200
            let next = connection.provider.authorization(issuedAt: issuedAt)
            #expect(connection.complete(["authorization": next]).verdict.rejection == nil)
            #expect(connection.complete(["authorization": previous]).verdict.rejection == nil)
            previous = next
        }
    }

    @Test func `the same claims signed anew are a new token`() {
        var connection = TestConnection(isOpen: true)
        connection.validator = RequestValidator(
            environment: .production, verifier: ProviderTokenVerifier(isOpen: true))
        let one = connection.provider.authorization(signature: [1])
        let two = connection.provider.authorization(signature: [2])
        #expect(connection.complete(["authorization": one]).verdict.rejection == nil)
        #expect(
            connection.complete(["authorization": two]).verdict.rejection
                == Rejection(.tooManyProviderTokenUpdates))
    }

    @Test func `invalid tokens do not count as updates`() {
        var connection = TestConnection()
        #expect(connection.complete().verdict.rejection == nil)
        for index in 0..<5 {
            let forged = connection.provider.authorization(signature: [UInt8(index)])
            #expect(
                connection.complete(["authorization": forged]).verdict.rejection
                    == Rejection(.invalidProviderToken))
        }
        #expect(connection.complete().verdict.rejection == nil)
    }

    @Test func `two keys of a team used in turn count together`() {
        var other = Provider()
        other.keyID = "B3LFRY0002"
        var connection = TestConnection(keys: [Provider().key(), other.key()])
        #expect(connection.complete().verdict.rejection == nil)
        #expect(
            connection.complete(["authorization": other.authorization()]).verdict.rejection
                == Rejection(.tooManyProviderTokenUpdates))
    }

    @Test func `an expired token leaves the connection unusable`() {
        var connection = TestConnection()
        #expect(connection.complete().verdict.rejection == nil)
        connection.advance(seconds: 3601)
        let expired = Rejection(.expiredProviderToken, status: 403)
        #expect(connection.complete().verdict.rejection == expired)
        let fresh = connection.provider.authorization(issuedAt: Provider.nowSeconds + 3601)
        #expect(connection.complete(["authorization": fresh]).verdict.rejection == expired)
        #expect(
            connection.complete(["authorization": nil]).verdict.rejection == Rejection(.missingProviderToken))
    }

    @Test func `an expired token can be replaced when the policy says so`() {
        var policy = GatewayPolicy()
        policy.providerTokens.expiryWedgesConnection = false
        var connection = TestConnection(policy: policy)
        _ = connection.complete()
        connection.advance(seconds: 3601)
        #expect(connection.complete().verdict.rejection == Rejection(.expiredProviderToken))
        let fresh = connection.provider.authorization(issuedAt: Provider.nowSeconds + 3601)
        #expect(connection.complete(["authorization": fresh]).verdict.rejection == nil)
    }

    @Test func `a token accepted before is refused once its key is gone`() {
        var connection = TestConnection()
        #expect(connection.complete().verdict.rejection == nil)
        connection.validator.verifier.replaceKeys([])
        #expect(connection.complete().verdict.rejection == Rejection(.invalidProviderToken))
        #expect(connection.complete().verdict.rejection == Rejection(.invalidProviderToken))
        #expect(
            connection.complete(["authorization": nil]).verdict.rejection == Rejection(.missingProviderToken))
        #expect(
            connection.complete(["authorization": ""]).verdict.rejection == Rejection(.missingProviderToken))
        connection.validator.verifier.replaceKeys([Provider().key()])
        #expect(connection.complete().verdict.rejection == nil)
    }

    @Test func `a token from the future is accepted when its time has come`() {
        var connection = TestConnection()
        let early = connection.provider.authorization(issuedAt: Provider.nowSeconds + 3700)
        #expect(
            connection.complete(["authorization": early]).verdict.rejection
                == Rejection(.invalidProviderToken))
        connection.advance(seconds: 100)
        #expect(connection.complete(["authorization": early]).verdict.rejection == nil)
    }

    // MARK: Ends

    @Test func `an idle connection is probed and then ended`() {
        var connection = TestConnection()
        let start = connection.nowMilliseconds
        #expect(connection.machine.timerDueMilliseconds == start + 3_600_000)
        #expect(connection.machine.timerFired(nowMilliseconds: start + 3_599_999) == .none)
        #expect(
            connection.machine.timerFired(nowMilliseconds: start + 3_600_000)
                == ConnectionActions(sendsPing: true))
        #expect(connection.machine.timerDueMilliseconds == start + 7_200_000)
        #expect(
            connection.machine.timerFired(nowMilliseconds: start + 7_200_000).goAway == GoAway(.idleTimeout))
        #expect(connection.machine.timerDueMilliseconds == nil)
        #expect(connection.machine.timerFired(nowMilliseconds: start + 9_000_000) == .none)
    }

    @Test func `a request starts the idle time anew`() {
        var connection = TestConnection()
        let start = connection.nowMilliseconds
        connection.advance(seconds: 3000)
        _ = connection.complete()
        #expect(connection.machine.timerDueMilliseconds == start + 3_000_000 + 3_600_000)
    }

    @Test func `without timers nothing is due`() {
        var policy = GatewayPolicy()
        policy.connections.idleTimeoutMilliseconds = nil
        policy.connections.pingAfterMilliseconds = nil
        var connection = TestConnection(policy: policy)
        #expect(connection.machine.timerDueMilliseconds == nil)
        #expect(connection.machine.timerFired(nowMilliseconds: .max) == .none)
    }

    @Test func `draining ends the connection with Shutdown, once`() {
        var connection = TestConnection()
        #expect(connection.machine.drain().goAway == GoAway(.shutdown))
        #expect(connection.machine.drain() == .none)
        #expect(connection.machine.close(.badTopic) == .none)
    }
}
