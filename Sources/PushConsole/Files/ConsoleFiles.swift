internal import CConsoleFiles
internal import Crypto
internal import Transport

/// The files the console serves, which are part of the program.
enum ConsoleFiles {
    private struct File: Sendable {
        var bytes: [UInt8]
        var type: String
        /// Part of the address, so that browsers keep a file until it changes.
        var version: String
    }

    private static let files: [String: File] = {
        var files: [String: File] = [:]
        var index = 0
        while true {
            let file = belfry_console_file_at(index)
            guard let name = file.name, let start = file.bytes else { return files }
            let bytes = Array(UnsafeBufferPointer(start: start, count: file.count))
            let text = String(cString: name)
            let digest = SHA256.digest(of: bytes)
            files[text] = File(
                bytes: bytes, type: type(of: text),
                version: Base64.encodeToString(Array(digest[..<9]), .url))
            index += 1
        }
    }()

    private static func type(of name: String) -> String {
        switch name.split(separator: ".").last {
        case "css": "text/css; charset=utf-8"
        case "js": "text/javascript; charset=utf-8"
        case "svg": "image/svg+xml"
        default: "text/plain; charset=utf-8"
        }
    }

    /// The address of a file.
    static func link(_ name: String) -> Link {
        Link("files", name, query: [("v", files[name]?.version ?? "")])
    }

    /// A file as an answer; nil when there is none with this name.
    static func response(_ name: String) -> HTTPResponse? {
        files[name].map { ConsoleHeaders.file($0.bytes, type: $0.type) }
    }

    /// The names of all files.
    static var names: [String] { files.keys.sorted() }
}
