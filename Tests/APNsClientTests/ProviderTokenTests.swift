import APNs
import Crypto
import Synchronization
import Testing
import Transport

@testable import APNsClient

struct ProviderTokenTests {
    private static let minute: Int64 = 60

    /// Holds the machine: what `#expect` calls must not mutate what it captures.
    private final class Machine {
        private var machine = ProviderTokenMachine()

        @discardableResult
        func decide(now: Int64, elapsed: Int64? = nil, jitter: Double) -> ProviderTokenMachine.Decision {
            machine.decide(now: now, elapsed: elapsed ?? now, jitter: jitter)
        }

        func proved(issuedAt: Int64) {
            machine.proved(issuedAt: issuedAt)
        }

        @discardableResult
        func expired(issuedAt: Int64, now: Int64) -> Bool {
            machine.expired(issuedAt: issuedAt, elapsed: now)
        }
    }

    @Test(arguments: [(0.0, 40), (0.5, 45), (1.0, 50)])
    func `a token is renewed between 40 and 50 minutes after it was issued`(jitter: Double, minutes: Int64) {
        let machine = Machine()
        #expect(machine.decide(now: 1000, jitter: jitter) == .sign(issuedAt: 1000))
        let renewal = 1000 + minutes * Self.minute
        #expect(machine.decide(now: renewal - 1, jitter: jitter) == .use(issuedAt: 1000))
        #expect(machine.decide(now: renewal, jitter: jitter) == .sign(issuedAt: renewal))
    }

    @Test func `a token called expired is replaced, but never within 20 minutes`() {
        let machine = Machine()
        _ = machine.decide(now: 0, jitter: 1)
        #expect(!machine.expired(issuedAt: 0, now: 20 * Self.minute - 1))
        #expect(machine.decide(now: 20 * Self.minute - 1, jitter: 1) == .use(issuedAt: 0))
        #expect(machine.expired(issuedAt: 0, now: 20 * Self.minute))
        #expect(machine.decide(now: 20 * Self.minute, jitter: 1) == .sign(issuedAt: 20 * Self.minute))
    }

    @Test func `an older token that is called expired has a newer one to be tried with`() {
        let machine = Machine()
        _ = machine.decide(now: 0, jitter: 0)
        _ = machine.decide(now: 50 * Self.minute, jitter: 0)
        #expect(machine.expired(issuedAt: 0, now: 50 * Self.minute + 1))
        #expect(machine.decide(now: 50 * Self.minute + 1, jitter: 0) == .use(issuedAt: 50 * Self.minute))
    }

    @Test func `a clock that was set back far brings a new token, one set back a little does not`() {
        let machine = Machine()
        _ = machine.decide(now: 10_000, jitter: 0)
        #expect(machine.decide(now: 9800, elapsed: 10_001, jitter: 0) == .use(issuedAt: 10_000))
        #expect(machine.decide(now: 5000, elapsed: 10_002, jitter: 0) == .sign(issuedAt: 5000))
    }

    @Test(arguments: [-3600, 3600] as [Int64])
    func `a token that APNs has taken is kept for its time when the clock is set wrong`(step: Int64) {
        let machine = Machine()
        _ = machine.decide(now: 10_000, jitter: 0)
        machine.proved(issuedAt: 10_000)
        let renewal = 10_000 + 40 * Self.minute
        #expect(machine.decide(now: 10_001 + step, elapsed: 10_001, jitter: 0) == .use(issuedAt: 10_000))
        #expect(
            machine.decide(now: renewal - 1 + step, elapsed: renewal - 1, jitter: 0) == .use(issuedAt: 10_000)
        )
        #expect(machine.decide(now: renewal, elapsed: renewal, jitter: 0) == .sign(issuedAt: renewal))
    }

    @Test
    func
        `a refused token from a wrong clock is replaced once the clock is right, proof of an older one or not`()
    {
        let machine = Machine()
        _ = machine.decide(now: 10_000, jitter: 0)
        machine.proved(issuedAt: 9_000)
        #expect(machine.decide(now: 6_400, elapsed: 10_001, jitter: 0) == .sign(issuedAt: 6_400))
    }

    @Test func `in any week of demand no two tokens are signed within 20 minutes`() {
        let machine = Machine()
        var signed: [Int64] = []
        var now: Int64 = 0
        while now < 7 * 24 * 3600 {
            now += Int64.random(in: 1...900)
            if Bool.random(), let last = signed.last { _ = machine.expired(issuedAt: last, now: now) }
            if case .sign(let at) = machine.decide(now: now, jitter: Double.random(in: 0...1)) {
                signed.append(at)
            }
        }
        #expect(signed.count > 100)
        #expect(zip(signed, signed.dropFirst()).allSatisfy { $1 - $0 >= 20 * Self.minute })
    }

    @Test func `a source signs what the verifying key accepts and hands the same token to all`() throws {
        let key = try SigningKey.generate()
        let time = Mutex<Int64>(1_800_000_000_000)
        let clock = WallClock { time.withLock { $0 } }
        let source = try ProviderTokenSource(
            keyID: "ABC123DEFG", teamID: "DEF123GHIJ", signingKey: key, clock: clock)
        let first = try source.current()
        let text = String(decoding: first.authorization, as: UTF8.self)
        #expect(text.hasPrefix("bearer "))
        let token = try ProviderToken(parsing: String(text.dropFirst(7)))
        #expect(token.claims.keyID == "ABC123DEFG")
        #expect(token.claims.teamID == "DEF123GHIJ")
        #expect(token.claims.issuedAt == 1_800_000_000)
        let input = Array(text.utf8.dropFirst(7).prefix(token.signingInputByteCount))
        #expect(key.publicKey.isValid(signature: token.signature, for: input))

        #expect(try source.current().authorization == first.authorization)
        time.withLock { $0 += 51 * 60 * 1000 }
        #expect(try source.current().authorization != first.authorization)
    }

    @Test(arguments: ["", "ABC", "ABC123DEFGH", "ABC-23DEFG", "ÄBC123DEFG"])
    func `ids that cannot be Apple's are refused by name`(id: String) throws {
        let key = try SigningKey.generate()
        let error = #expect(throws: APNsClientError.self) {
            try ProviderTokenSource(keyID: id, teamID: "DEF123GHIJ", signingKey: key)
        }
        #expect(error?.message.contains("key id") == true)
    }
}
