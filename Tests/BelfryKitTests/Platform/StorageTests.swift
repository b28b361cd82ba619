import BelfryKit
import Foundation
import Testing

/// What every storage holds to.
@Suite struct StorageTests {
    static func storages() -> [any KeyValueStorage] {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        let group = UserDefaultsStorage(applicationGroup: "belfry-" + UUID().uuidString)
        return [MemoryStorage(), FileStorage(directory: folder)] + (group.map { [$0] } ?? [])
    }

    @Test(arguments: 0..<3) func `a value is kept until it is replaced or removed`(index: Int) throws {
        let storage = Self.storages()[index]
        let keys = ["a", "A", "a.b", "../a", "ключ", "a b", "%61"]
        for key in keys {
            #expect(storage.data(forKey: key) == nil)
            try storage.setData(Data(key.utf8), forKey: key)
        }
        for key in keys { #expect(storage.data(forKey: key) == Data(key.utf8)) }
        try storage.setData(Data("2".utf8), forKey: "a")
        try storage.setData(nil, forKey: "A")
        try storage.setData(nil, forKey: "A")
        #expect(storage.data(forKey: "a") == Data("2".utf8))
        #expect(storage.data(forKey: "A") == nil)
    }

    @Test func `a file storage stays in its folder and says what it cannot keep`() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        let storage = FileStorage(directory: folder.appendingPathComponent("in"))
        try storage.setData(Data([1]), forKey: "../out")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["in"])
        #expect(throws: BelfryKitError.self) { try storage.setData(Data(), forKey: "") }
        #expect(throws: BelfryKitError.self) {
            try storage.setData(Data(), forKey: String(repeating: "x", count: 300))
        }
        let blocked = FileStorage(directory: URL(fileURLWithPath: "/dev/null/x"))
        #expect(throws: BelfryKitError.self) { try blocked.setData(Data([1]), forKey: "a") }
        #expect(blocked.data(forKey: "a") == nil)
    }

    @Test func `another process of the app reads what a file storage keeps`() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileStorage(directory: folder).setData(Data([7]), forKey: "a")
        #expect(FileStorage(directory: folder).data(forKey: "a") == Data([7]))
    }

    @Test(
        arguments: [
            ("<key>aps-environment</key><string>development</string>", PushEnvironment.sandbox),
            ("<key>aps-environment</key><string>production</string>", .production),
            ("<key>aps-environment</key><string>other</string>", nil), ("", nil),
        ] as [(String, PushEnvironment?)])
    func `the environment is read out of a provisioning profile`(entry: String, environment: PushEnvironment?)
    {
        let list = """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0"><dict><key>Name</key><string>x</string>
            <key>Entitlements</key><dict>\(entry)</dict></dict></plist>
            """
        let profile: [UInt8] = [0x30, 0x82, 0xff, 0x00] + Array(list.utf8) + [0x00, 0xff, 0xa0]
        #expect(PushEnvironment(provisioningProfile: profile) == environment)
    }

    @Test(arguments: [
        "", "no profile", "<plist", "</plist><plist>", "<plist></plist>", "<plist>\u{0}</plist>",
    ])
    func `what is no profile has no environment`(text: String) {
        #expect(PushEnvironment(provisioningProfile: Array(text.utf8)) == nil)
    }
}
