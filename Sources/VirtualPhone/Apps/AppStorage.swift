public import Foundation
internal import Synchronization

/// What an app keeps on the phone: a few values by key, and a directory.
///
/// It survives the end of the app's process and goes when the app is deleted. Callable from any thread.
public final class AppStorage: Sendable {
    private struct Contents {
        var values: [String: Data] = [:]
        var isDirectoryMade = false
    }

    private let contents: Mutex<Contents>
    private let location: URL

    init(values: [String: Data] = [:]) {
        contents = Mutex(Contents(values: values))
        location = FileManager.default.temporaryDirectory
            .appendingPathComponent("belfry-app-" + UUID().uuidString)
    }

    deinit {
        if contents.withLock({ $0.isDirectoryMade }) { try? FileManager.default.removeItem(at: location) }
    }

    /// The value of a key; nil when it has none.
    public func data(forKey key: String) -> Data? { contents.withLock { $0.values[key] } }

    /// Sets the value of a key, or removes it with nil.
    public func setData(_ data: Data?, forKey key: String) { contents.withLock { $0.values[key] = data } }

    /// The text of a key; nil when it has none.
    public func string(forKey key: String) -> String? {
        data(forKey: key).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Sets the text of a key, or removes it with nil.
    public func setString(_ string: String?, forKey key: String) {
        setData(string.map { Data($0.utf8) }, forKey: key)
    }

    /// The app's directory, made when it is first asked for.
    public var directory: URL {
        contents.withLock { contents in
            if !contents.isDirectoryMade {
                // A directory that cannot be made shows when the app writes into it.
                try? FileManager.default.createDirectory(at: location, withIntermediateDirectories: true)
                contents.isDirectoryMade = true
            }
        }
        return location
    }

    /// Everything there is, for a look in a test.
    public var snapshot: Snapshot {
        let (values, isDirectoryMade) = contents.withLock { ($0.values, $0.isDirectoryMade) }
        var files: [String: Data] = [:]
        if isDirectoryMade {
            let names =
                FileManager.default.enumerator(atPath: location.path)?.compactMap { $0 as? String } ?? []
            for name in names {
                // A directory has no data, and one file may go while others are read.
                files[name] = try? Data(contentsOf: location.appendingPathComponent(name))
            }
        }
        return Snapshot(values: values, files: files)
    }

    /// The values and files of a moment.
    public struct Snapshot: Hashable, Sendable, Codable {
        /// By key.
        public var values: [String: Data]
        /// By path below the directory.
        public var files: [String: Data]
    }

    /// A storage with the same contents, for another phone.
    func copy() -> AppStorage {
        let snapshot = snapshot
        let copy = AppStorage(values: snapshot.values)
        for (name, data) in snapshot.files {
            let file = copy.directory.appendingPathComponent(name)
            // What cannot be copied is missing on the other phone, and shows there.
            try? FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try? data.write(to: file)
        }
        return copy
    }
}
