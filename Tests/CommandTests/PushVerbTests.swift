import APNs
import Transport
import Testing

@testable import belfry

@Suite struct PushVerbTests {
    static let now: Int64 = 1_700_000_000
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    func request(_ arguments: [String]) throws(CommandError) -> PushRequest {
        let options = try PushVerb.declaration.parser().parse(["--topic", "com.example.App"] + arguments)
        return try PushRequest(options, now: Self.now)
    }

    func text(_ request: PushRequest) -> String { String(decoding: request.payload, as: UTF8.self) }

    @Test func `the options make the payload`() throws {
        let request = try request([
            "--title", "T", "-b", "B", "--badge", "3", "--sound", "default", "--category", "C", "--thread",
            "H",
        ])
        #expect(
            text(request)
                == #"{"aps":{"alert":{"title":"T","body":"B"},"badge":3,"sound":"default","thread-id":"H","category":"C"}}"#
        )
        #expect(request.pushType == .alert)
        #expect(request.priority == nil)
    }

    @Test func `a background push wakes the app at priority 5`() throws {
        let request = try request(["--push-type", "background"])
        #expect(text(request) == #"{"aps":{"content-available":1}}"#)
        #expect(request.priority == .normal)
    }

    @Test func `a payload file is sent byte for byte`() throws {
        let json = "{ \"aps\" : {\"alert\":\"x\"} ,\n \"b\":1.0 }\n"
        let file = try folder.write(json, as: "p.json")
        #expect(text(try request(["--payload", file])) == json)
    }

    @Test(arguments: [
        ("never", Expiration.never), ("2h", .at(secondsSince1970: now + 7200)),
        ("@1800000000", .at(secondsSince1970: 1_800_000_000)),
    ])
    func `an expiration is never, from now, or an instant`(_ text: String, _ expected: Expiration) throws {
        #expect(try request(["-b", "x", "--expiration", text]).expiration == expected)
    }

    @Test(arguments: [
        (["-b", "x", "--expiration", "300"], "--expiration: found '300'; allowed: 'never'"),
        (["-b", "x", "--expiration", "@-1"], "--expiration: found '@-1'"),
        (["-b", "x", "--priority", "7"], "--priority: found '7'; allowed: 1, 5, 10"),
        (["-b", "x", "--push-type", "banner"], "--push-type: found 'banner'; allowed: alert, "),
        (["-b", "x", "--id", "1234"], "--id: found '1234'; allowed: a UUID"),
        (["-b", "x", "--collapse-id", String(repeating: "c", count: 65)], "a collapse id has at most"),
        (["-b", "x", "--topic", "com example"], "a topic "),
        ([], "needs something to send"),
    ])
    func `what APNs would refuse is a usage error`(_ arguments: [String], _ message: String) {
        let error = #expect(throws: CommandError.self) { _ = try request(arguments) }
        #expect(error?.status == .usage)
        #expect(error?.message.hasPrefix(message) == true, "\(error?.message ?? "")")
    }

    @Test func `a payload that is no JSON object is named with its file`() throws {
        let file = try folder.write("[1]", as: "p.json")
        let error = #expect(throws: CommandError.self) { _ = try request(["--payload", file]) }
        #expect(error?.message.hasPrefix("--payload \(file): ") == true)
    }

    @Test func `tokens come from the command line and from a file with comments`() throws {
        let file = try folder.write("# old phones\n\n00ff\r\n  AB01\t\n", as: "tokens")
        let tokens = try TokenList.read(["0a"], file: file)
        #expect(tokens.map(\.hexString) == ["0a", "00ff", "ab01"])
    }

    @Test func `a bad token is named with its line, and not in full`() throws {
        let long = String(repeating: "ab", count: 31) + "zz"
        let file = try folder.write("00\n\(long)\n", as: "tokens")
        let error = #expect(throws: CommandError.self) { _ = try TokenList.read([], file: file) }
        #expect(error?.message.hasPrefix("\(file), line 2: ") == true)
        #expect(error?.message.contains(long) == false)
    }

    @Test func `no token at all is a usage error`() throws {
        let file = try folder.write("# none\n", as: "tokens")
        #expect(throws: CommandError.self) { _ = try TokenList.read([], file: file) }
    }

    @Test(arguments: [
        ("http://proxy:3128", "proxy", 3128), ("proxy:1", "proxy", 1), ("http://[::1]:8080/", "::1", 8080),
    ])
    func `a proxy is host and port`(_ text: String, _ host: String, _ port: Int) throws {
        let options = try PushVerb.declaration.parser().parse(["--proxy", text])
        let proxy = try #require(options[EndpointOptions.proxy])
        #expect((proxy.host, proxy.port) == (host, port))
    }

    @Test(arguments: [
        "proxy", "https://proxy:1", "http://u:p@proxy:1", "proxy:0", "proxy:65536", ":1", "::1:80",
    ])
    func `anything else is no proxy`(_ text: String) {
        #expect(throws: CommandError.self) { _ = try PushVerb.declaration.parser().parse(["--proxy", text]) }
    }

    @Test(arguments: [
        (["push", "--direct"], "needs a device token"),
        (["push", "00"], "needs --direct"),
        (["push", "--direct", "00"], "needs --topic"),
        (["push", "--direct", "00", "--topic", "a", "-b", "x"], "needs a credential"),
        (
            ["push", "--direct", "00", "--topic", "a", "-b", "x", "-k", "a", "--certificate", "b"],
            "--key and --certificate: found both"
        ),
    ])
    func `what is missing is said`(_ arguments: [String], _ message: String) async {
        let result = await CommandLineTests.run(arguments)
        #expect(result.status == .usage)
        #expect(result.error.hasPrefix("belfry: push: \(message)"), "\(result.error)")
    }
}
