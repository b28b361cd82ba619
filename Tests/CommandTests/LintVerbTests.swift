import Testing

@testable import belfry

@Suite struct LintVerbTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `a good payload is ok and exits 0`() async throws {
        let file = try folder.write(#"{"aps":{"alert":"Hello"}}"#, as: "good.json")
        let result = await CommandLineTests.run(["lint", file])
        #expect(result.status == .done)
        #expect(result.output == "\(file): ok\n")
    }

    @Test func `one bad file among good ones exits 1 and names file, key and rule`() async throws {
        let good = try folder.write(#"{"aps":{"alert":"Hello"}}"#, as: "good.json")
        let bad = try folder.write(#"{"aps":{"alert":"Hello","badge":"1"}}"#, as: "bad.json")
        let result = await CommandLineTests.run(["lint", good, bad])
        #expect(result.status == .failed)
        #expect(result.output.contains("\(good): ok\n"))
        #expect(result.output.contains("\(bad): error: aps.badge"))
        #expect(result.output.contains("[wrong-type]"))
    }

    @Test func `the headers are checked as they are written`() async throws {
        let file = try folder.write(#"{"aps":{"content-available":1}}"#, as: "silent.json")
        let right = ["lint", "--push-type", "background", "--priority", "5", "--topic", "com.example.App"]
        #expect(await CommandLineTests.run(right + [file]).status == .done)
        for wrong in [
            ["--priority", "10"], ["--priority", "high"], ["--push-type", "silent"], ["--expiration", "300"],
        ] {
            let result = await CommandLineTests.run(right + wrong + [file])
            #expect(result.status == .failed, "\(wrong)")
        }
    }

    @Test func `with --json each file is one object`() async throws {
        let file = try folder.write(#"{"aps":{"badge":"1"}}"#, as: "bad.json")
        let result = await CommandLineTests.run(["lint", "--json", file])
        #expect(result.output.hasPrefix(#"{"errors":1,"file":""#))
        #expect(result.output.contains(#""rule":"wrong-type""#))
        #expect(result.output.hasSuffix("}\n"))
    }

    @Test func `an .apns file is checked as the simulator reads it`() async throws {
        let text = #"{"Simulator Target Bundle":"com.example.App","aps":{"alert":"Hello"}}"#
        let file = try folder.write(text, as: "hello.apns")
        #expect(await CommandLineTests.run(["lint", file]).output == "\(file): ok\n")
        let plain = try folder.write(text, as: "hello.json")
        #expect(await CommandLineTests.run(["lint", plain]).output != "\(plain): ok\n")
        #expect(await CommandLineTests.run(["lint", "--simulator", plain]).output == "\(plain): ok\n")
    }

    @Test func `an .apns file need not name its app when simctl is told`() async throws {
        let file = try folder.write(#"{"aps":{"alert":"Hello"}}"#, as: "hello.apns")
        #expect(await CommandLineTests.run(["lint", file]).output.contains("[simulator-target]"))
        let result = await CommandLineTests.run(["lint", "--bundle", "com.example.App", file])
        #expect(result.output == "\(file): ok\n")
    }

    @Test func `headers beside an .apns file are a usage error`() async throws {
        let file = try folder.write(#"{"aps":{"alert":"Hello"}}"#, as: "hello.apns")
        #expect(await CommandLineTests.run(["lint", "--priority", "5", file]).status == .usage)
    }

    @Test func `a file that is not there exits 69`() async {
        let result = await CommandLineTests.run(["lint", folder.path + "/none.json"])
        #expect(result.status == .unavailable)
        #expect(result.error.contains("none.json: No such file or directory"))
    }

    @Test func `a file without end is not read`() async {
        let result = await CommandLineTests.run(["lint", "/dev/zero"])
        #expect(result.status == .usage)
        #expect(result.error.contains("/dev/zero: larger than"))
    }
}
