import APNs
import Crypto
import Synchronization
import Testing

@testable import APNsGateway

struct ProviderTokenTests {
    private let now = Provider.nowSeconds

    private func verdict(
        on token: String, _ verifier: ProviderTokenVerifier, at seconds: Int64? = nil
    ) -> String {
        withBytes(token) { bytes in
            switch verifier.verdict(on: bytes, nowSeconds: seconds ?? now) {
            case .valid(let token): "valid \(token.key.keyID) \(token.issuedAtSeconds)"
            case .invalid: "invalid"
            case .tooEarly: "too early"
            case .expired: "expired"
            }
        }
    }

    private func jwt(header: String, claims: String, signature: [UInt8] = Provider.goodSignature) -> String {
        [Array(header.utf8), Array(claims.utf8), signature].map { base64URL($0) }.joined(separator: ".")
    }

    private func base64URL(_ bytes: [UInt8]) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        var text = ""
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let value = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            for index in 0...group.count { text.append(alphabet[value >> (18 - 6 * index) & 63]) }
        }
        return text
    }

    static let texts: [(header: String, claims: String, expected: String)] = [
        (#"{"alg":"ES256","kid":"B3LFRY0001"}"#, #"{"iss":"B3LFRYTEAM","iat":1760000000}"#, "valid"),
        (
            #"{"typ":"JWT","alg":"ES256","kid":"B3LFRY0001"}"#, #"{"iss":"B3LFRYTEAM","iat":1760000000}"#,
            "valid"
        ),
        // APNSwift sends the time as a string and the key's identifier among the claims.
        (
            #"{"alg":"ES256","kid":"B3LFRY0001"}"#,
            #"{"iss":"B3LFRYTEAM","iat":"1760000000","kid":"B3LFRY0001"}"#, "valid"
        ),
        (#"{"alg":"ES256","kid":"B3LFRY0001"}"#, #"{"iss":"B3LFRYTEAM","iat":1760000000,"exp":1}"#, "valid"),
        (#"{"alg":"RS256","kid":"B3LFRY0001"}"#, #"{"iss":"B3LFRYTEAM","iat":1760000000}"#, "invalid"),
        (#"{"alg":"none","kid":"B3LFRY0001"}"#, #"{"iss":"B3LFRYTEAM","iat":1760000000}"#, "invalid"),
        (#"{"alg":"es256","kid":"B3LFRY0001"}"#, #"{"iss":"B3LFRYTEAM","iat":1760000000}"#, "invalid"),
        (#"{"alg":"ES256"}"#, #"{"iss":"B3LFRYTEAM","iat":1760000000}"#, "invalid"),
        (#"{"alg":"ES256","kid":1}"#, #"{"iss":"B3LFRYTEAM","iat":1760000000}"#, "invalid"),
        (#"{"alg":"ES256","kid":"b3lfry0001"}"#, #"{"iss":"B3LFRYTEAM","iat":1760000000}"#, "invalid"),
        (#"{"alg":"ES256","kid":"B3LFRY0001"}"#, #"{"iss":"OTHERTEAM0","iat":1760000000}"#, "invalid"),
        (#"{"alg":"ES256","kid":"B3LFRY0001"}"#, #"{"iat":1760000000}"#, "invalid"),
        (#"{"alg":"ES256","kid":"B3LFRY0001"}"#, #"{"iss":"B3LFRYTEAM"}"#, "invalid"),
        (#"{"alg":"ES256","kid":"B3LFRY0001"}"#, #"{"iss":"B3LFRYTEAM","iat":"noon"}"#, "invalid"),
        (#"{"alg":"ES256","kid":"B3LFRY0001"}"#, #"{"iss":"B3LFRYTEAM","iat":-1}"#, "invalid"),
        (
            #"{"alg":"ES256","kid":"B3LFRY0001"}"#, #"{"iss":"B3LFRYTEAM","iat":9223372036854775807}"#,
            "invalid"
        ),
        (#"{"alg":"ES256","kid":"B3LFRY0001"}"#, #"[]"#, "invalid"),
        (#"nothing"#, #"{"iss":"B3LFRYTEAM","iat":1760000000}"#, "invalid"),
    ]

    @Test(arguments: texts)
    func `a token is judged by its header and claims`(header: String, claims: String, expected: String) {
        let verifier = ProviderTokenVerifier(keys: [Provider().key()])
        let found = verdict(on: jwt(header: header, claims: claims), verifier)
        #expect(found.prefix { $0 != " " } == expected)
    }

    @Test(arguments: ["", ".", "..", "a.b", "a.b.c", "a.b.c.d", "ä.ö.ü", "=.=.="])
    func `a text that is no token is invalid`(text: String) {
        #expect(verdict(on: text, ProviderTokenVerifier(keys: [Provider().key()])) == "invalid")
        #expect(verdict(on: text, ProviderTokenVerifier(isOpen: true)) == "invalid")
    }

    @Test(
        arguments: [
            (0, "valid"), (3600, "valid"), (3601, "expired"), (1_000_000, "expired"), (-3600, "valid"),
            (-3601, "too early"),
        ] as [(Int64, String)])
    func `a token lives for an hour`(age: Int64, expected: String) {
        let verifier = ProviderTokenVerifier(keys: [Provider().key()])
        let token = Provider().token(issuedAt: now - age)
        #expect(verdict(on: token, verifier).hasPrefix(expected))
        // The same once it is remembered.
        #expect(verdict(on: token, verifier).hasPrefix(expected))
    }

    @Test func `a remembered token expires too`() {
        let verifier = ProviderTokenVerifier(keys: [Provider().key()])
        let token = Provider().token()
        #expect(verdict(on: token, verifier).hasPrefix("valid"))
        #expect(verifier.rememberedCount == 1)
        #expect(verdict(on: token, verifier, at: now + 3600).hasPrefix("valid"))
        #expect(verdict(on: token, verifier, at: now + 3601) == "expired")
    }

    @Test
    func `to a clock that was put forward a token signed since then is new, and one from before is old`() {
        let ahead: Int64 = 12 * 3600
        let isAhead = Atomic(false)
        let verifier = ProviderTokenVerifier(
            keys: [Provider().key()],
            aheadSeconds: { isAhead.load(ordering: .relaxed) ? ahead : 0 })
        let before = Provider().token()
        #expect(verdict(on: before, verifier).hasPrefix("valid"))
        isAhead.store(true, ordering: .relaxed)
        #expect(verdict(on: before, verifier, at: now + ahead) == "expired")
        // By the machine's clock, and by the gateway's own.
        for issuedAt in [now + 10, now + ahead + 10] {
            let token = Provider().token(issuedAt: issuedAt)
            #expect(
                verdict(on: token, verifier, at: now + ahead + 10) == "valid B3LFRY0001 \(now + ahead + 10)")
            #expect(verdict(on: token, verifier, at: now + ahead + 3610).hasPrefix("valid"))
            #expect(verdict(on: token, verifier, at: now + ahead + 3611) == "expired")
        }
        #expect(verdict(on: Provider().token(issuedAt: now - 3601), verifier, at: now + ahead) == "expired")
    }

    @Test func `milliseconds are understood only when the policy says so`() {
        let token = Provider().token(issuedAt: now * 1000)
        #expect(verdict(on: token, ProviderTokenVerifier(keys: [Provider().key()])) == "too early")
        var policy = GatewayPolicy.ProviderTokens()
        policy.acceptsMilliseconds = true
        let verifier = ProviderTokenVerifier(keys: [Provider().key()], policy: policy)
        #expect(verdict(on: token, verifier) == "valid B3LFRY0001 \(now)")
        #expect(verdict(on: Provider().token(), verifier) == "valid B3LFRY0001 \(now)")
    }

    @Test func `a bad signature of a known key is refused also when open`() {
        let token = Provider().token(signature: [1])
        #expect(verdict(on: token, ProviderTokenVerifier(keys: [Provider().key()])) == "invalid")
        #expect(
            verdict(on: token, ProviderTokenVerifier(keys: [Provider().key()], isOpen: true)) == "invalid")
        var policy = GatewayPolicy.ProviderTokens()
        policy.checksKnownKeysWhenOpen = false
        let lenient = ProviderTokenVerifier(keys: [Provider().key()], isOpen: true, policy: policy)
        #expect(verdict(on: token, lenient).hasPrefix("valid"))
    }

    @Test func `an open verifier accepts unknown keys but no old tokens`() {
        let verifier = ProviderTokenVerifier(isOpen: true)
        let provider = Provider(keyID: "ANYKEY", teamID: "ANYTEAM")
        #expect(verdict(on: provider.token(signature: [1]), verifier) == "valid ANYKEY \(now)")
        #expect(verdict(on: provider.token(issuedAt: now - 4000), verifier) == "expired")
    }

    @Test func `tokens of a removed key are refused although remembered`() {
        let verifier = ProviderTokenVerifier(keys: [Provider().key()])
        let token = Provider().token()
        let generation = verifier.generation
        #expect(verdict(on: token, verifier).hasPrefix("valid"))
        verifier.replaceKeys([])
        #expect(verifier.generation != generation)
        #expect(verdict(on: token, verifier) == "invalid")
    }

    @Test func `no more tokens are remembered than allowed`() {
        let verifier = ProviderTokenVerifier(keys: [Provider().key()], rememberedMax: 4)
        for age in 0..<20 {
            #expect(verdict(on: Provider().token(issuedAt: now - Int64(age)), verifier).hasPrefix("valid"))
            #expect(verifier.rememberedCount == min(age + 1, 4))
        }
    }

    @Test func `both signature encodings of a real key are accepted`() throws {
        let key = try SigningKey.generate()
        let claims = ProviderTokenClaims(keyID: "B3LFRY0001", teamID: "B3LFRYTEAM", issuedAt: now)
        let raw = try key.sign(claims.signingInput)
        let der = try key.sign(claims.signingInput, encoding: .der)
        let verifier = ProviderTokenVerifier(keys: [
            ProviderKey(keyID: "B3LFRY0001", teamID: "B3LFRYTEAM", verifyingKey: key.publicKey)
        ])
        for signature in [raw, der] {
            let token = String(decoding: claims.token(signature: signature), as: UTF8.self)
            #expect(verdict(on: token, verifier).hasPrefix("valid"))
            var damaged = signature
            damaged[damaged.count - 1] ^= 1
            let forged = String(decoding: claims.token(signature: damaged), as: UTF8.self)
            #expect(verdict(on: forged, verifier) == "invalid")
        }
        let other = try SigningKey.generate().sign(claims.signingInput)
        let foreign = String(decoding: claims.token(signature: other), as: UTF8.self)
        #expect(verdict(on: foreign, verifier) == "invalid")
    }

    /// Damages good tokens in every way a byte can change and feeds noise.
    @Test func `no damaged token is ever valid`() {
        let verifier = ProviderTokenVerifier(keys: [Provider().key()])
        var generator = SeededGenerator(seed: 20_251_009)
        let good = Array(Provider().token().utf8)
        #expect(verdict(on: String(decoding: good, as: UTF8.self), verifier).hasPrefix("valid"))
        let alphabet = Array("ABCZabcz019-_.={}\"\\/ \u{0}".utf8) + [0x80, 0xff]
        for _ in 0..<4000 {
            var bytes = good
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let index = Int.random(in: 0..<bytes.count, using: &generator)
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: bytes[index] = alphabet.randomElement(using: &generator) ?? 0
                case 1: bytes.remove(at: index)
                case 2: bytes.insert(alphabet.randomElement(using: &generator) ?? 0, at: index)
                default: bytes.removeLast(Int.random(in: 1...min(8, bytes.count - 1), using: &generator))
                }
            }
            let verdict = bytes.withUnsafeBytes { verifier.verdict(on: $0, nowSeconds: now) }
            if case .valid(let token) = verdict {
                // Only a change that leaves header, claims and signature alike, or another good time.
                #expect(token.key.keyID == "B3LFRY0001")
                #expect(bytes == good || abs(token.issuedAtSeconds - now) <= 3600)
            }
        }
    }

    @Test func `noise and giants are refused by an open verifier too`() {
        let verifier = ProviderTokenVerifier(isOpen: true)
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<2000 {
            let count = Int.random(in: 0...200, using: &generator)
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
            let verdict = bytes.withUnsafeBytes { verifier.verdict(on: $0, nowSeconds: now) }
            guard case .invalid = verdict else {
                Issue.record("\(bytes) was not invalid")
                continue
            }
        }
        let giant = Provider().token(signature: [UInt8](repeating: 1, count: 4000))
        #expect(verdict(on: giant, verifier) == "invalid")
        #expect(verifier.rememberedCount == 0)
    }

    @Test(
        arguments: [
            ("bearer abc", "abc"), ("Bearer abc", "abc"), ("BEARER abc", "abc"), ("bearer   abc", "abc"),
            ("bearer", nil), ("bearer ", nil), ("bearer  ", nil), ("bearerabc", nil), ("basic abc", nil),
            ("", nil), ("bearer\tabc", nil), (" bearer abc", nil),
        ] as [(String, String?)])
    func `the scheme is bearer in any case`(header: String, token: String?) {
        let found = withBytes(header) { bytes in
            BearerToken.find(in: bytes, ignoringCase: true).map { String(decoding: $0, as: UTF8.self) }
        }
        #expect(found == token)
    }

    @Test func `the scheme's case counts when the policy says so`() {
        #expect(withBytes("Bearer a") { BearerToken.find(in: $0, ignoringCase: false) == nil })
        #expect(withBytes("bearer a") { BearerToken.find(in: $0, ignoringCase: false) != nil })
    }
}
