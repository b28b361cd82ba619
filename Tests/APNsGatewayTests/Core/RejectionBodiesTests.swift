import APNs
import Testing

@testable import APNsGateway

struct RejectionBodiesTests {
    private func text(_ rejection: Rejection, _ bodies: RejectionBodies = RejectionBodies()) -> String {
        String(decoding: bodies.body(of: rejection), as: UTF8.self)
    }

    @Test func `every known reason has its body`() {
        for reason in Reason.known {
            #expect(text(Rejection(reason)) == "{\"reason\":\"\(reason.text)\"}")
        }
    }

    @Test func `a timestamp goes beside the reason`() {
        let rejection = Rejection(.unregistered, timestampMilliseconds: 1_760_000_000_123)
        #expect(text(rejection) == #"{"reason":"Unregistered","timestamp":1760000000123}"#)
        #expect(rejection.status == 410)
    }

    @Test func `an unknown reason is written as text`() {
        let rejection = Rejection(Reason("Odd \"one\""), status: 418)
        #expect(text(rejection) == #"{"reason":"Odd \"one\""}"#)
        #expect(Rejection(Reason("Odd")).status == 400)
    }

    @Test func `the observed spelling is written when the policy says so`() {
        var policy = GatewayPolicy()
        let rejection = Rejection(.badEnvironmentKeyIDInToken)
        #expect(text(rejection) == #"{"reason":"BadEnvironmentKeyIdInToken"}"#)
        policy.providerTokens.writesObservedEnvironmentReason = true
        #expect(text(rejection, RejectionBodies(policy: policy)) == #"{"reason":"BadEnvironmentKeyInToken"}"#)
    }

    @Test(arguments: [
        (400, true), (403, true), (410, false), (413, true), (429, true), (500, false), (503, false),
    ])
    func `refusals other than 410 count as the provider's error`(status: Int, counts: Bool) {
        #expect(Rejection(Reason("x"), status: status).countsAsError == counts)
    }
}
