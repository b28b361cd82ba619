import Crypto
import FoundationEssentials
import Testing

@testable import belfry

struct AppVerbTests {
    let folder: TemporaryFolder
    let data: [String]

    init() throws {
        folder = try TemporaryFolder()
        data = ["--data", folder.path + "/data"]
    }

    private func run(_ arguments: [String]) async -> CommandLineTests.Result {
        await CommandLineTests.run(arguments + data)
    }

    private func create(_ more: [String] = []) async -> CommandLineTests.Result {
        await run(["app", "create", "News", "--topic", "com.example.news", "--json"] + more)
    }

    @Test func `an app keeps the id and keys it had elsewhere`() async {
        let result = await create(["--id", "news", "--key", "old-app-key", "--master-key", "old-master-key"])
        #expect(result.status == .done, "\(result.error)")
        #expect(result.output == #"{"id":"news","key":"old-app-key","masterKey":"old-master-key"}"# + "\n")
        let list = await run(["app", "list", "--json"])
        #expect(
            list.output
                == #"{"credentials":0,"id":"news","installations":0,"name":"News","topic":"com.example.news"}"#
                + "\n")
        #expect(await create(["--id", "news"]).status == .failed)
        let shown = await run(["app", "show", "news"])
        #expect(!shown.output.contains("old-master-key"))
        #expect(await run(["app", "show", "news", "--secrets"]).output.contains("old-master-key"))
    }

    @Test func `ids and keys that are made up differ`() async throws {
        struct Made: Decodable { var id, key, masterKey: String }
        let made = try JSONDecoder().decode(Made.self, from: Data(await create().output.utf8))
        #expect(Set([made.id, made.key, made.masterKey]).count == 3)
        #expect([made.id, made.key, made.masterKey].allSatisfy { $0.count == 24 })
    }

    @Test func `a rotation gives a new key`() async {
        _ = await create(["--id", "news", "--key", "old-app-key", "--master-key", "old-master-key"])
        let result = await run(["app", "rotate", "news", "--kind", "app", "--key", "new-app-key", "--json"])
        #expect(result.output.contains(#""key":"new-app-key""#))
        let shown = await run(["app", "show", "news", "--secrets"]).output
        #expect(shown.contains("old-app-key") && shown.contains("new-app-key"))
    }

    @Test func `settings change one by one`() async {
        _ = await create(["--id", "news"])
        let result = await run(["app", "update", "news", "--quiet-hours", "22:00-07:00", "--json"])
        #expect(result.output.contains(#""quietHours":{"endMinute":420,"startMinute":1320}"#))
        #expect(await run(["app", "update", "news", "--frequency-cap", "3/1d"]).status == .done)
        let shown = await run(["app", "show", "news", "--json"]).output
        #expect(shown.contains(#""frequencyCap":{"countMax":3,"seconds":86400}"#) && shown.contains("1320"))
        #expect(await run(["app", "update", "news", "--quiet-hours", "off"]).status == .done)
        #expect(await !run(["app", "show", "news", "--json"]).output.contains("quietHours"))
        #expect(await run(["app", "update", "news", "--quiet-hours", "25:00-07:00"]).status == .usage)
        #expect(await run(["app", "update", "news"]).status == .usage)
        #expect(await run(["app", "show", "nwes"]).error.contains("news"))
    }

    @Test func `a key is stored, listed without its secret, and removed`() async throws {
        _ = await create(["--id", "news"])
        let key = try SigningKey.generate()
        let file = try folder.write(key.p8, as: "AuthKey_ABC123DEFG.p8")
        let add = [
            "key", "add", "--app", "news", "--p8", file, "--team-id", "DEF123GHIJ", "--no-check", "--json",
        ]
        let added = await run(add)
        #expect(added.status == .done, "\(added.error)")
        let list = await run(["key", "list", "--app", "news", "--json"])
        #expect(list.output == added.output)
        #expect(list.output.contains(#""keyId":"ABC123DEFG""#) && !list.output.contains("PRIVATE"))
        #expect(await run(["key", "remove", "--app", "news", "1"]).status == .done)
        #expect(await run(["key", "remove", "--app", "news", "1"]).status == .failed)
        let bad = try folder.write("no key", as: "AuthKey_ABC123DEFH.p8")
        let refused = await run([
            "key", "add", "--app", "news", "--p8", bad, "--team-id", "DEF123GHIJ", "--no-check",
        ])
        #expect(refused.status == .usage)
    }

    @Test func `an import reports, and a backup can be opened`() async throws {
        _ = await create(["--id", "news"])
        let export = try folder.write(
            #"[{"objectId":"a1","deviceToken":"aa"},{"deviceToken":"bb"}]"#, as: "export.json")
        let result = await run(["import", "--app", "news", export, "--json"])
        #expect(result.status == .done, "\(result.error)")
        #expect(result.output.contains(#""read":2"#) && result.output.contains(#""stored":1"#))
        let copy = folder.path + "/copy.sqlite"
        #expect(await run(["backup", copy]).status == .done)
        #expect(FileManager.default.fileExists(atPath: copy))
    }
}
