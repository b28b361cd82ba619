import Testing

@testable import APNs

@Suite struct ProviderTokenTests {
    @Test func `claims make a token that is taken apart again`() throws {
        let claims = ProviderTokenClaims(keyID: "ABC123DEFG", teamID: "DEF123GHIJ", issuedAt: 1_437_179_036)
        let signature = (0..<64).map { UInt8($0) }
        let text = claims.token(signature: signature)
        let token = try ProviderToken(parsing: text)
        #expect(token.claims == claims)
        #expect(token.signature == signature)
        #expect(Array(text.prefix(token.signingInputByteCount)) == claims.signingInput)
        #expect(
            String(decoding: claims.signingInput, as: UTF8.self)
                == encode(#"{"alg":"ES256","kid":"ABC123DEFG"}"#) + "."
                + encode(#"{"iss":"DEF123GHIJ","iat":1437179036}"#))
    }

    @Test(arguments: [
        #"{"iss":"T","iat":"1437179036"}"#, #"{"iss":"T","iat":1437179036.0}"#,
        #"{"kid":"K","iat":1437179036,"iss":"T","exp":null,"aud":["x"]}"#,
    ])
    func `the time may be a string, and other claims are ignored`(claims: String) throws {
        let token = try ProviderToken(parsing: jwt(claims: claims))
        #expect(token.claims.issuedAt == 1_437_179_036)
        #expect(token.claims.teamID == "T")
    }

    @Test func `a signature in DER is kept as it is`() throws {
        let der: [UInt8] = [0x30, 0x06, 0x02, 0x01, 0x01, 0x02, 0x01, 0x02]
        let text = ProviderTokenClaims(keyID: "K", teamID: "T", issuedAt: 1).token(signature: der)
        #expect(try ProviderToken(parsing: text).signature == der)
    }

    @Test(arguments: [
        ("", "three parts between dots, not 1"), ("a.b", "not 2"), ("a.b.c.d", "not 4"),
        ("=.e30.AA", "header in base64url"), ("e30=.e30.AA", "header in base64url"),
        ("e30.a+b/.AA", "claims in base64url"), ("AAAA.e30.AA", "JSON object as its header"),
        (jwt(header: "[]"), "JSON object as its header"), (jwt(header: "{}"), "ES256"),
        (jwt(header: #"{"alg":"none","kid":"K"}"#), "ES256"), (jwt(header: #"{"alg":"ES256"}"#), "kid"),
        (jwt(header: #"{"alg":"ES256","kid":""}"#), "kid"), (jwt(header: #"{"alg":"ES256","kid":7}"#), "kid"),
        (jwt(claims: #"{"iat":1}"#), "iss"), (jwt(claims: #"{"iss":["T"],"iat":1}"#), "iss"),
        (jwt(claims: #"{"iss":"T"}"#), "iat"), (jwt(claims: #"{"iss":"T","iat":"soon"}"#), "iat"),
        (jwt(claims: #"{"iss":"T","iat":true}"#), "iat"), (jwt(claims: #"{"iss":"T","iat":1.5}"#), "iat"),
        (jwt(claims: #"{"iss":"T","iat":1e99}"#), "iat"), (jwt(signature: ""), "signature"),
        (jwt(signature: "A"), "signature"), (jwt(signature: "AA=="), "signature"),
        (jwt(signature: "AB"), "signature"),
    ])
    func `what is no token is refused with the reason`(text: String, message: String) {
        let error = #expect(throws: APNsError.self) { try ProviderToken(parsing: text) }
        #expect(error?.code == .invalidProviderToken)
        #expect(error?.message.contains(message) == true, "\(String(describing: error))")
    }

    @Test func `a token that is long or nested deeply is refused`() {
        for claims in [String(repeating: "[", count: 2800), String(repeating: "x", count: 4000)] {
            #expect(throws: APNsError.self) { try ProviderToken(parsing: jwt(claims: claims)) }
        }
    }

    @Test(arguments: [
        ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE"),
        ("foobar", "Zm9vYmFy"), ("~~~???", "fn5-Pz8_"),
    ])
    func `base64url is the RFC's, without padding`(plain: String, text: String) {
        #expect(encode(plain) == text)
        #expect(Base64URL.decode(Array(text.utf8)) == Array(plain.utf8))
    }
}

private func encode(_ text: String) -> String {
    var output: [UInt8] = []
    Base64URL.append(Array(text.utf8), to: &output)
    return String(decoding: output, as: UTF8.self)
}

private func jwt(
    header: String = #"{"alg":"ES256","kid":"K"}"#, claims: String = #"{"iss":"T","iat":1}"#,
    signature: String = "AAAA"
) -> String {
    "\(encode(header)).\(encode(claims)).\(signature)"
}
