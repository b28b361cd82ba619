import FoundationEssentials
import Testing

@testable import APNs

/// Parsers against input that was made to break them.
@Suite struct RobustnessTests {
    static let payloads = (PayloadTests.samples + PayloadTests.liveActivities).map { Array($0.json.utf8) }
    static let simulatorFiles =
        payloads.map { Array(#"{"Simulator Target Bundle":"com.example.app","#.utf8) + $0.dropFirst() }
    static let providerTokens = [
        ProviderTokenClaims(keyID: "ABC123DEFG", teamID: "DEF123GHIJ", issuedAt: 1_437_179_036),
        ProviderTokenClaims(keyID: "\"é\u{1}", teamID: "", issuedAt: .min),
    ].map { $0.token(signature: Array(0..<64)) }
    static let headerValues = [
        "00ff10", "f4121b12-e0bf-3266-f079-d9253e98bf49", "com.example.app.voip", "1764460800", "10", "alert",
        "dHN0LXNyY2gtY2hubA==", "BadDeviceToken", String(repeating: "ab", count: 54),
    ].map { Array($0.utf8) }

    @Test(arguments: 0..<20)
    func `no payload breaks a parser`(seed: UInt64) {
        var mutator = Mutator(seed: seed, inputs: RobustnessTests.payloads)
        for _ in 0..<100 { expect(mutator.next(), Invariants.payload) }
    }

    @Test(arguments: 0..<10)
    func `no simulator file breaks the lint`(seed: UInt64) {
        var mutator = Mutator(seed: seed, inputs: RobustnessTests.simulatorFiles)
        for _ in 0..<100 { expect(mutator.next(), Invariants.simulatorFile) }
    }

    @Test(arguments: 0..<10)
    func `no provider token breaks the parser`(seed: UInt64) {
        var mutator = Mutator(seed: seed, inputs: RobustnessTests.providerTokens)
        for _ in 0..<300 { expect(mutator.next(), Invariants.providerToken) }
    }

    @Test(arguments: 0..<10)
    func `no header value breaks a parser`(seed: UInt64) {
        var mutator = Mutator(seed: seed, inputs: RobustnessTests.headerValues)
        for _ in 0..<300 { expect(mutator.next(), Invariants.headerValues) }
    }

    @Test func `the invariants hold for the unchanged inputs`() {
        for text in RobustnessTests.payloads { expect(text, Invariants.payload) }
        for text in RobustnessTests.simulatorFiles { expect(text, Invariants.simulatorFile) }
        for text in RobustnessTests.providerTokens { expect(text, Invariants.providerToken) }
        for text in RobustnessTests.headerValues { expect(text, Invariants.headerValues) }
    }

    /// What the fuzzer starts from, and what it once stumbled over.
    @Test(arguments: ["payload", "provider-token", "apns-file", "json"])
    func `the fuzzer's inputs break nothing`(target: String) throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Fuzz/corpus/\(target)")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(names.count > 3)
        for name in names {
            let text = Array(try Data(contentsOf: folder.appending(path: name)))
            let invariant =
                switch target {
                case "payload": Invariants.payload
                case "provider-token": Invariants.providerToken
                case "json": JSONInvariants.text
                default: Invariants.simulatorFile
                }
            #expect(invariant(text) == nil, "\(name)")
        }
    }

    private func expect(_ text: [UInt8], _ invariant: ([UInt8]) -> String?) {
        if let fault = invariant(text) {
            Issue.record("\(fault): \(String(decoding: text, as: UTF8.self)) \(text)")
        }
    }
}
