#if canImport(VirtualPhone)
internal import Foundation

/// What a demo remembers between two runs, in a file of its folder.
struct DemoMemory: Codable, Sendable {
    /// Whether the people are there, all of them.
    var isSeeded = false
    /// How far its time is ahead of the machine's.
    var aheadMilliseconds: Int64 = 0
    /// The gateway's ids of its phones, whose place the phones of the next run take.
    var devices: [String] = []

    private static func path(_ folder: String) -> String { folder + "/demo.json" }

    /// What an earlier run left; nothing when there was none.
    static func load(_ folder: String) -> DemoMemory {
        FileManager.default.contents(atPath: path(folder))
            .flatMap { try? JSONDecoder().decode(DemoMemory.self, from: $0) } ?? DemoMemory()
    }

    /// Keeps it for the next run.
    ///
    /// - Throws: what the file system says.
    func save(_ folder: String) throws {
        try JSONEncoder().encode(self).write(to: URL(fileURLWithPath: Self.path(folder)), options: .atomic)
    }
}
#endif
