import APNs
import APNsClient
import APNsGateway
import Crypto
import PushStore
import Recurrence
import Testing
import Transport

@testable import PushService

/// Keys and certificates that were wrong or ran out, and nobody noticed.
@Suite(.timeLimit(.minutes(5)), .serialized)
struct CredentialFaultTests {
    private func endpoints(_ world: DeliveryWorld) throws -> [APNs.Environment: Endpoint] {
        let trust = TLSContext.Trust.certificates([world.gateway.identity.authority.certificate])
        return [
            .production: try Endpoint(url: world.gateway.addresses.production ?? "", trust: trust),
            .sandbox: try Endpoint(url: world.gateway.addresses.sandbox ?? "", trust: trust),
        ]
    }

    private func key(
        _ world: DeliveryWorld, p8: String? = nil, keyID: String? = nil, teamID: String? = nil
    ) -> PushCredential {
        PushCredential(
            secret: .key(
                p8: p8 ?? world.gateway.identity.signingKey.p8, keyID: keyID ?? world.gateway.addresses.keyID,
                teamID: teamID ?? world.gateway.addresses.teamID),
            environments: [.production, .sandbox], createdAt: world.now)
    }

    /// APNSwift #141, vapor/apns #47.
    @Test func `a key whose id or team is wrong is not found out with the first push to customers`()
        async throws
    {
        try await DeliveryWorld.run { world in
            let probe = CredentialProbe(endpoints: try endpoints(world))
            let good = try await probe.check(key(world), topic: DeliveryWorld.topic)
            #expect(good == [.production: .good("BadDeviceToken"), .sandbox: .good("BadDeviceToken")])
            #expect(good.stored(atMilliseconds: 1).isGood && !good.isRefused)
            for wrong in [
                key(world, keyID: "XXXXXXXXXX"), key(world, p8: try SigningKey.generate().p8),
                // Key and team the wrong way round.
                key(
                    world, keyID: world.gateway.addresses.teamID, teamID: world.gateway.addresses.keyID),
            ] {
                let verdicts = try await probe.check(wrong, topic: DeliveryWorld.topic)
                #expect(verdicts.count == 2 && verdicts.isRefused, "\(verdicts)")
                #expect(!verdicts.stored(atMilliseconds: 1).isGood)
            }
        }
    }

    @Test func `an APNs that cannot be reached does not make a good key a bad one`() async throws {
        try await DeliveryWorld.run { world in
            let authority = world.gateway.identity.authority.certificate
            let nobody = try Endpoint(url: "https://localhost:1", trust: .certificates([authority]))
            let probe = CredentialProbe(endpoints: [.production: nobody, .sandbox: nobody])
            var credential = key(world)
            credential.environments = [.production]
            let verdicts = try await probe.check(credential, topic: DeliveryWorld.topic)
            #expect(!verdicts.isRefused, "\(verdicts)")
            #expect(!verdicts.stored(atMilliseconds: 1).isGood)
        }
    }

    /// ooni/sysadmin #220.
    @Test func `a certificate that has run out does not fail for days unseen`() async throws {
        try await APIFixture.with { fixture in
            let number = try await fixture.store.addCredential(
                PushCredential(
                    secret: .certificate(pem: "never read here"), environments: [.production],
                    expiresAt: fixture.now.advanced(bySeconds: 86_400), createdAt: fixture.now),
                app: fixture.app.number)
            try await fixture.store.storeCheck(
                PushCredential.Check(atMilliseconds: 1, isGood: false, message: "BadCertificate"),
                credential: number)
            func line(_ name: String) async throws -> Substring? {
                try await fixture.send("GET", "/metrics", key: .none).text.split(separator: "\n")
                    .first { $0.hasPrefix("\(name){app=\"news\",credential=\"\(number)\"}") }
            }
            #expect(try await line("belfry_credential_expiry_seconds")?.hasSuffix(" 86400") == true)
            #expect(try await line("belfry_credential_good")?.hasSuffix(" 0") == true)
            fixture.advance(seconds: 86_401)
            #expect(try await line("belfry_credential_expiry_seconds")?.hasSuffix(" -1") == true)
        }
    }
}
