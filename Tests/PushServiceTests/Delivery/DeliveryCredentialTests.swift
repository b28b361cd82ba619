import APNs
import APNsGateway
import Crypto
import PushStore
import Recurrence
import Testing
import Transport

@testable import PushService

/// Certificates and keys, right ones and wrong ones, through delivery.
@Suite(.timeLimit(.minutes(5)), .serialized)
struct DeliveryCredentialTests {
    private func add(_ credential: PushCredential, _ world: DeliveryWorld) async throws {
        _ = try await world.store.addCredential(credential, app: try await world.app.number)
    }

    private func identity(
        _ world: DeliveryWorld, topics: [String]? = nil, isProduction: Bool = true
    ) throws -> Identity {
        try world.gateway.identity.issueClient(
            bundleID: DeliveryWorld.topic, topics: topics, isProduction: isProduction,
            now: WallClock.system.secondsSince1970)
    }

    enum File: CaseIterable { case p12, p12WithPassword, pem }

    private func file(_ kind: File, _ identity: Identity) throws -> ([UInt8], String?) {
        switch kind {
        case .p12: (try identity.pkcs12(password: "", friendlyName: "a"), nil)
        case .p12WithPassword: (try identity.pkcs12(password: "secret", friendlyName: "a"), "secret")
        case .pem: (Array((identity.certificatesPEM + identity.privateKey.pem).utf8), nil)
        }
    }

    @Test(arguments: File.allCases, [APNs.Environment.production, .sandbox])
    func `a certificate delivers in both environments it is for`(
        kind: File, environment: APNs.Environment
    ) async throws {
        try await DeliveryWorld.run(hasCredential: false) { world in
            let (bytes, password) = try file(kind, try identity(world))
            try await add(
                try PushCredential(
                    certificateFile: bytes, password: password, environments: nil, now: world.now), world)
            let phones = try await world.addPhones(
                1_200, environment, fields: ["environment": .string(environment.rawValue)])
            let push = try await world.push()
            try await world.work(try world.service())
            #expect(try await world.outcomes(push) == [.accepted: 1_200])
            #expect(phones.allSatisfy { world.deliveries($0).count == 1 })
        }
    }

    @Test func `a certificate's other topics are served by it and an unknown one by none`() async throws {
        try await DeliveryWorld.run(hasCredential: false) { world in
            let topics = [DeliveryWorld.topic, DeliveryWorld.topic + ".voip"]
            let (bytes, password) = try file(.p12WithPassword, try identity(world, topics: topics))
            let credential = try PushCredential(
                certificateFile: bytes, password: password, environments: nil, now: world.now)
            #expect(Set(credential.topics) == Set(topics))
            try await add(credential, world)
            let alerts = try await world.addPhones(1, fields: ["kind": "alert", "environment": "production"])
            let calls = try await world.addPhones(
                1, topic: topics[1], fields: ["kind": "call", "environment": "production"])
            let service = try world.service()
            let alert = try await world.push { $0.filter = try WhereClause(["kind": "alert"]) }
            let call = try await world.push(["apns-push-type": "voip"]) {
                $0.filter = try WhereClause(["kind": "call"])
            }
            let location = try await world.push(["apns-push-type": "location"]) {
                $0.filter = try WhereClause(["kind": "alert"])
            }
            try await world.work(service)
            #expect(try await world.outcomes(alert) == [.accepted: 1])
            #expect(try await world.outcomes(call) == [.accepted: 1])
            #expect(try await world.outcomes(location) == [.noCredential: 1])
            #expect(world.deliveries(alerts[0]).count == 1 && world.deliveries(calls[0]).count == 1)
        }
    }

    @Test func `a certificate for sandbox alone is not taken for production`() async throws {
        try await DeliveryWorld.run(hasCredential: false) { world in
            let (bytes, password) = try file(.pem, try identity(world, isProduction: false))
            #expect(throws: CredentialError.self) {
                try PushCredential(
                    certificateFile: bytes, password: password, environments: [.production], now: world.now)
            }
            let credential = try PushCredential(
                certificateFile: bytes, password: password, environments: nil, now: world.now)
            #expect(credential.environments == [.sandbox])
            try await add(credential, world)
            let sandbox = try await world.addPhones(1, .sandbox, fields: ["environment": "sandbox"])
            _ = try await world.addPhones(1, fields: ["environment": "production"])
            let push = try await world.push()
            try await world.work(try world.service())
            #expect(try await world.outcomes(push) == [.accepted: 1, .noCredential: 1])
            #expect(world.deliveries(sandbox[0]).count == 1)
        }
    }

    @Test func `a certificate of the wrong environment stops the push, and the right one goes on`()
        async throws
    {
        try await DeliveryWorld.run(hasCredential: false) { world in
            // As a row made by hand has it, or one from before a check: nothing stands in APNs' way but APNs.
            let wrong = try identity(world, isProduction: false)
            var credential = PushCredential(
                secret: .certificate(pem: wrong.certificatesPEM + wrong.privateKey.pem),
                environments: [.production], createdAt: world.now)
            credential.topics = [DeliveryWorld.topic]
            try await add(credential, world)
            let phones = try await world.addPhones(1_500, fields: ["environment": "production"])
            let service = try world.service()
            let push = try await world.push()
            try await world.work(service)
            #expect(try await world.state(push)?.state == .paused)
            #expect(try await world.state(push)?.error?.contains("BadCertificateEnvironment") == true)
            #expect(try await world.outcomes(push) == [.pending: 1_500])
            let (bytes, password) = try file(.p12, try identity(world))
            try await add(
                try PushCredential(
                    certificateFile: bytes, password: password, environments: nil, now: world.now), world)
            _ = try await world.store.setState(.running, push: push.objectID, app: push.app, now: world.now)
            // APNs ends a connection with a wrong certificate; what it refused with it waits for its next try.
            world.advance(seconds: 60)
            try await world.work(service)
            let outcomes = try await world.outcomes(push)
            #expect(outcomes == [.accepted: 1_500])
            #expect(phones.allSatisfy { world.deliveries($0).count == 1 })
        }
    }

    @Test(arguments: [true, false])
    func `a wrong key that is replaced is used no more, with no restart`(isRemoved: Bool) async throws {
        try await DeliveryWorld.run(hasCredential: false) { world in
            let stranger = try SigningKey.generate()
            let wrong = try PushCredential(
                p8: Array(stranger.p8.utf8), keyID: world.gateway.addresses.keyID,
                teamID: world.gateway.addresses.teamID, environments: [.production, .sandbox], now: world.now)
            let app = try await world.app.number
            let number = try await world.store.addCredential(wrong, app: app)
            let phones = try await world.addPhones(3, fields: ["environment": "production"])
            let service = try world.service()
            let push = try await world.push()
            try await world.work(service)
            #expect(try await world.state(push)?.state == .paused)
            #expect(try await world.state(push)?.error?.contains("InvalidProviderToken") == true)
            if isRemoved { try await world.store.removeCredential(number: number, app: app) }
            try await world.addCredential()
            _ = try await world.store.setState(.running, push: push.objectID, app: push.app, now: world.now)
            try await world.work(service)
            #expect(try await world.outcomes(push) == [.accepted: 3])
            #expect(phones.allSatisfy { world.deliveries($0).count == 1 })
            #expect(try await world.record(push).errors == nil)
        }
    }
}
