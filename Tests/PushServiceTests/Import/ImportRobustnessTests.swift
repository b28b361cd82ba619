import Testing

struct ImportRobustnessTests {
    private static func fault(_ target: String, _ bytes: [UInt8]) -> String? {
        target == "bson" ? ImportInvariants.bson(bytes) : ImportInvariants.json(bytes)
    }

    @Test(arguments: ["bson", "import-json"])
    func `the fuzzer's inputs break nothing`(target: String) throws {
        for (name, bytes) in try FuzzCorpus(target).inputs {
            #expect(Self.fault(target, bytes) == nil, "\(name)")
        }
    }

    @Test(arguments: ["bson", "import-json"], 0..<5)
    func `no changed file breaks a reader`(target: String, seed: UInt64) throws {
        var corpus = try FuzzCorpus(target, seed: seed)
        for _ in 0..<200 {
            let bytes = corpus.next()
            #expect(Self.fault(target, bytes) == nil, "\(bytes)")
        }
    }
}
