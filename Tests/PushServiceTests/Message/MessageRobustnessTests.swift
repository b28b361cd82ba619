import Testing

@Suite struct MessageRobustnessTests {
    @Test func `the fuzzer's inputs break nothing`() throws {
        for (name, text) in try FuzzCorpus("message").inputs {
            #expect(MessageInvariants.message(text) == nil, "\(name)")
        }
    }

    @Test(arguments: 0..<5) func `no changed message breaks out of its strings`(seed: UInt64) throws {
        var corpus = try FuzzCorpus("message", seed: seed)
        for _ in 0..<100 {
            let text = corpus.next()
            #expect(MessageInvariants.message(text) == nil, "\(String(decoding: text, as: UTF8.self))")
        }
    }
}
