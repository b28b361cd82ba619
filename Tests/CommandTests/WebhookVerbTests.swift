import Testing

@testable import belfry

struct WebhookVerbTests {
    let folder: TemporaryFolder
    let data: [String]

    init() throws {
        folder = try TemporaryFolder()
        data = ["--data", folder.path + "/data"]
    }

    private func run(_ arguments: [String]) async -> CommandLineTests.Result {
        await CommandLineTests.run(arguments + data)
    }

    @Test func `a webhook is added, listed without its secret, and removed`() async {
        _ = await run(["app", "create", "News", "--topic", "com.example.news", "--id", "news"])
        let added = await run([
            "webhook", "add", "--app", "news", "--event", "open", "--event", "push.done", "--json",
            "https://example.com/hook",
        ])
        #expect(added.status == .done, "\(added.error)")
        #expect(added.output.contains(#""secret":"whsec_"#))
        #expect(added.output.contains(#""events":["open","push.done"]"#))
        let list = await run(["webhook", "list", "--app", "news"])
        #expect(list.output == "1  https://example.com/hook  open+push.done\n")
        #expect(await !run(["webhook", "list", "--app", "news", "--json"]).output.contains("whsec_"))
        #expect(
            await run(["webhook", "remove", "--app", "news", "1", "--json"]).output == #"{"removed":1}"#
                + "\n")
        #expect(await run(["webhook", "list", "--app", "news"]).output == "")
        #expect(await run(["webhook", "remove", "--app", "news", "1"]).status == .failed)
    }

    @Test func `what cannot be a webhook is refused`() async {
        _ = await run(["app", "create", "News", "--topic", "com.example.news", "--id", "news"])
        #expect(await run(["webhook", "add", "https://example.com/"]).status == .usage)
        #expect(await run(["webhook", "add", "--app", "news", "ftp://example.com/"]).status == .usage)
        #expect(
            await run(["webhook", "add", "--app", "news", "--event", "close", "https://example.com/"]).status
                == .usage)
        #expect(
            await run([
                "webhook", "add", "--app", "news", "--signing-secret", "short", "https://example.com/",
            ]).status
                == .usage)
        #expect(
            await run(["webhook", "add", "--app", "nwes", "https://example.com/"]).error.contains("news"))
        #expect(await run(["webhook", "remove", "--app", "news", "one"]).status == .usage)
        #expect(await run(["webhook", "list", "--app", "news"]).output == "")
    }
}
