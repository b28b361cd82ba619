public import Foundation

/// Values in files of one folder, each replaced as a whole: whenever the process dies, the old or the new one is there.
///
/// For Linux, and for what an app shares with its extensions in a group's folder.
public final class FileStorage: KeyValueStorage {
    /// The folder; made with the first value.
    public let directory: URL

    private static let suffix = ".value"
    /// The longest name of a file on common file systems, in bytes.
    private static let nameByteCountMax = 255

    /// Makes a storage.
    public init(directory: URL) {
        self.directory = directory
    }

    /// The value of a key; nil when it has none.
    public func data(forKey key: String) -> Data? {
        guard let file = try? file(of: key) else { return nil }
        return try? Data(contentsOf: file)
    }

    /// Sets the value of a key, or removes it with nil.
    ///
    /// - Throws: a ``BelfryKitError`` with `invalidArgument` for a key that makes no file name, or `storage` with what
    ///   the device says.
    public func setData(_ data: Data?, forKey key: String) throws {
        let file = try file(of: key)
        do {
            if let data {
                try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
                try data.write(to: file, options: .atomic)
            } else if FileManager.default.fileExists(atPath: file.path) {
                try FileManager.default.removeItem(at: file)
            }
        } catch {
            throw BelfryKitError(code: .storage, message: "\(key): \(error)")
        }
    }

    /// Letters, digits, `-`, `.` and `_` stand for themselves, every other byte as `%` and two digits: no key leaves the
    /// folder, and no two share a file.
    private func file(of key: String) throws(BelfryKitError) -> URL {
        let digits = Array("0123456789abcdef".utf8)
        var name: [UInt8] = []
        for byte in key.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x2e, 0x5f: name.append(byte)
            default: name += [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        guard !name.isEmpty, name.count + Self.suffix.utf8.count <= Self.nameByteCountMax else {
            throw BelfryKitError(
                code: .invalidArgument,
                message: "key: found \(key.utf8.count) bytes; allowed: 1 to what a file name holds")
        }
        return directory.appendingPathComponent(String(decoding: name, as: UTF8.self) + Self.suffix)
    }
}
