import FoundationEssentials

/// The files of the repository that these tests stand in.
enum Repository {
    struct File: Sendable {
        /// Relative to the repository's root.
        var path: String
        var text: String
        /// Split by bytes: much quicker than by characters.
        var lines: [Substring] {
            text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map(
                Substring.init)
        }
    }

    /// Tests/CommandTests/Repository.swift is three steps down.
    static let root: String = {
        var parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
        parts.removeLast(3)
        return parts.joined(separator: "/")
    }()

    /// Folders that hold nothing that is tracked.
    private static let untracked: Set = [
        ".git", ".build", ".venv", "build", "belfry-data", "__pycache__", ".pytest_cache", ".swiftpm",
        ".hypothesis", ".build-deb", "belfry-demo",
    ]

    /// Every text file, or those below one folder.
    static func files(under folder: String = "", suffix: String = "") -> [File] {
        var found: [File] = []
        var folders = [folder]
        while let folder = folders.popLast() {
            let path = root + "/" + folder
            for name in (try? FileManager.default.contentsOfDirectory(atPath: path))?.sorted() ?? [] {
                guard !untracked.contains(name) else { continue }
                let relative = folder.isEmpty ? name : folder + "/" + name
                var isDirectory = false
                _ = FileManager.default.fileExists(atPath: root + "/" + relative, isDirectory: &isDirectory)
                if isDirectory {
                    folders.append(relative)
                } else if relative.hasSuffix(suffix), let file = file(relative) {
                    found.append(file)
                }
            }
        }
        return found
    }

    /// A file; nil when it is not there or is not text.
    static func file(_ path: String) -> File? {
        guard let data = FileManager.default.contents(atPath: root + "/" + path),
            let text = String(validating: data, as: UTF8.self)
        else { return nil }
        return File(path: path, text: text)
    }

    /// Whether there is a file, whatever it holds.
    static func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: root + "/" + path)
    }

    /// The folders in Sources: one for each module.
    static func modules() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: root + "/Sources").sorted()
    }
}
