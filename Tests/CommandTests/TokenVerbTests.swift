import APNs
import Crypto
import Testing

@testable import belfry

@Suite struct TokenVerbTests {
    let folder: TemporaryFolder
    let key: SigningKey

    init() throws {
        folder = try TemporaryFolder()
        key = try SigningKey.generate()
    }

    @Test func `a token is signed by the key and carries its ids`() async throws {
        let file = try folder.write(key.p8, as: "AuthKey_ABC123DEFG.p8")
        let result = await CommandLineTests.run(["token", "-k", file, "--team-id", "DEF123GHIJ"])
        #expect(result.status == .done)
        let text = String(result.output.dropLast())
        let token = try ProviderToken(parsing: text)
        #expect(token.claims.keyID == "ABC123DEFG")
        #expect(token.claims.teamID == "DEF123GHIJ")
        let signed = Array(text.utf8.prefix(token.signingInputByteCount))
        #expect(key.publicKey.isValid(signature: token.signature, for: signed))
    }

    @Test func `a file of another name needs --key-id`() async throws {
        let file = try folder.write(key.p8, as: "key.pem")
        let arguments = ["token", "-k", file, "--team-id", "DEF123GHIJ"]
        let result = await CommandLineTests.run(arguments)
        #expect(result.status == .usage)
        #expect(result.error.contains("needs --key-id"))
        #expect(await CommandLineTests.run(arguments + ["--key-id", "ABC123DEFG"]).status == .done)
    }

    @Test func `the team may come from a variable, and the answer be an object`() async throws {
        let file = try folder.write(key.p8, as: "AuthKey_ABC123DEFG.p8")
        let result = await CommandLineTests.run(
            ["token", "--json", "-k", file], environment: ["BELFRY_TEAM_ID": "DEF123GHIJ"])
        #expect(result.output.contains(#""team_id":"DEF123GHIJ""#))
    }

    @Test func `a file that is no key is named, and its text not shown`() async throws {
        let file = try folder.write("hunter2 is my password", as: "AuthKey_ABC123DEFG.p8")
        let result = await CommandLineTests.run(["token", "-k", file, "--team-id", "DEF123GHIJ"])
        #expect(result.status == .usage)
        #expect(result.error.contains("--key \(file): "))
        #expect(!result.error.contains("hunter2"))
    }
}
