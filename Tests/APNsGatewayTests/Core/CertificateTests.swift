import APNs
import Crypto
import Testing

@testable import APNsGateway

struct CertificateTests {
    private func credential(
        topics: [String] = [], environments: Set<APNs.Environment> = [.production],
        userID: String? = TestConnection.topic, validSeconds: ClosedRange<Int64> = 0...Int64.max
    ) throws -> CertificateCredential {
        try #require(
            CertificateCredential(
                userID: userID, topics: topics, environments: environments, validSeconds: validSeconds))
    }

    private func connection(
        _ credential: CertificateCredential, policy: GatewayPolicy = GatewayPolicy()
    ) -> TestConnection {
        TestConnection(policy: policy, credential: .certificate(credential), keys: [])
    }

    @Test func `the authorization header is ignored`() throws {
        var connection = connection(try credential())
        #expect(connection.push(["authorization": "bearer nonsense"]).rejection == nil)
        #expect(connection.push(["authorization": nil]).rejection == nil)
    }

    @Test func `without topic the certificate's bundle identifier is meant`() throws {
        var connection = connection(try credential())
        let verdict = connection.push(["authorization": nil, "apns-topic": nil])
        #expect(verdict.outcome == .accepted(device: 1))
        #expect(verdict.topic?.rawValue == TestConnection.topic)
    }

    @Test func `a certificate of many topics needs the header`() throws {
        let topics = [
            TestConnection.topic, TestConnection.topic + ".voip", TestConnection.topic + ".complication",
        ]
        var connection = connection(try credential(topics: topics))
        #expect(connection.push(["apns-topic": nil]).rejection == Rejection(.missingTopic))
        #expect(connection.push().rejection == nil)
        #expect(
            connection.push(["apns-topic": topics[1], "apns-push-type": "voip"], bodyByteCount: 5120)
                .rejection == nil)
        #expect(
            connection.push(["apns-topic": topics[2], "apns-push-type": "complication"]).rejection == nil)
    }

    @Test func `only listed topics may be used`() throws {
        var connection = connection(try credential())
        for topic in ["com.example.other", "com.example", TestConnection.topic + ".voip"] {
            #expect(connection.push(["apns-topic": topic]).rejection == Rejection(.topicDisallowed))
        }
    }

    @Test(arguments: [PushType.location, .pushtotalk, .liveactivity, .widgets, .controls])
    func `some push types need a provider token`(type: PushType) throws {
        let topic = TestConnection.topic + type.topicSuffix
        let credential = try credential(topics: [TestConnection.topic, topic])
        let changes: KeyValuePairs<String, String?> = ["apns-topic": topic, "apns-push-type": type.rawValue]
        var strict = connection(credential)
        #expect(strict.push(changes).rejection == Rejection(.topicDisallowed))
        var policy = GatewayPolicy()
        policy.requests.tokenOnlyPushTypes = []
        var lenient = connection(credential, policy: policy)
        #expect(lenient.push(changes).rejection == nil)
    }

    @Test func `mdm pushes go to the subject of the certificate`() throws {
        let topic = "com.apple.mgmt.External.0123"
        var connection = connection(try credential(userID: topic))
        let body = #"{"mdm":"magic"}"#
        #expect(connection.push(["apns-topic": nil, "apns-push-type": "mdm"], body: body).rejection == nil)
        #expect(connection.push(["apns-topic": topic, "apns-push-type": "mdm"], body: body).rejection == nil)
    }

    @Test func `a certificate for the other environment ends the connection`() throws {
        var connection = connection(try credential(environments: [.sandbox]))
        let (verdict, actions) = connection.complete()
        #expect(verdict.rejection == Rejection(.badCertificateEnvironment, status: 403))
        #expect(actions.goAway == GoAway(.badCertificateEnvironment))
        #expect(connection.complete().actions.goAway == nil)
    }

    @Test func `a certificate outside its time or unverified is bad`() throws {
        let now = Provider.nowSeconds
        for range in [0...now - 1, now + 1...now + 2] {
            var connection = connection(try credential(validSeconds: range))
            let (verdict, actions) = connection.complete()
            #expect(verdict.rejection == Rejection(.badCertificate, status: 403))
            #expect(actions.goAway == GoAway(.badCertificate))
        }
        var unusable = TestConnection(credential: .unusableCertificate)
        #expect(unusable.complete().verdict.rejection == Rejection(.badCertificate))
    }

    @Test func `a bad certificate may keep its connection when the policy says so`() throws {
        var policy = GatewayPolicy()
        policy.connections.closesOnBadCertificate = false
        var connection = connection(try credential(environments: []), policy: policy)
        let (verdict, actions) = connection.complete()
        #expect(verdict.rejection == Rejection(.badCertificateEnvironment))
        #expect(actions == .none)
    }

    @Test func `a certificate without topics is none for APNs`() {
        #expect(
            CertificateCredential(userID: nil, topics: [], environments: [.production], validSeconds: 0...1)
                == nil)
    }

    @Test func `certificates are read as Apple makes them`() throws {
        let validity = CertificateValidity(
            notBefore: Provider.nowSeconds - 10, notAfter: Provider.nowSeconds + 10)
        let authority = try CertificateAuthority(commonName: "Test CA", validity: validity)
        let topics = ["com.example.app", "com.example.app.voip"]
        let universal = try authority.issueAPNsIdentity(
            bundleID: "com.example.app", isDevelopment: true, isProduction: true, topics: topics,
            validity: validity)
        let credential = try #require(CertificateCredential(universal.certificate))
        #expect(credential.environments == [.production, .sandbox])
        #expect(credential.topics == Set(topics))
        #expect(credential.defaultTopic == nil)
        #expect(credential.validSeconds == Provider.nowSeconds - 10...Provider.nowSeconds + 10)

        let single = try authority.issueAPNsIdentity(
            bundleID: "com.example.app", isDevelopment: true, isProduction: false, validity: validity)
        let development = try #require(CertificateCredential(single.certificate))
        #expect(development.environments == [.sandbox])
        #expect(development.defaultTopic?.rawValue == "com.example.app")

        let plain = try authority.issueClientIdentity(commonName: "somebody", validity: validity)
        #expect(CertificateCredential(plain.certificate) == nil)

        func kind(_ certificate: Certificate?, _ fault: String? = nil) -> String {
            switch ConnectionMachine.Credential(certificate: certificate, fault: fault) {
            case .providerToken: "token"
            case .certificate: "certificate"
            case .unusableCertificate: "unusable"
            }
        }
        #expect(kind(nil) == "token")
        #expect(kind(single.certificate) == "certificate")
        #expect(kind(single.certificate, "unknown issuer") == "unusable")
        #expect(kind(plain.certificate) == "unusable")
    }
}
