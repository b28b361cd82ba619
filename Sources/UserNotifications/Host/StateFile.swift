internal import Foundation

/// A notification state in a file, replaced as a whole.
///
/// When `save` returns, the state is on the disk: the file is flushed before it takes the old one's name, and the
/// directory after.
struct StateFile: Sendable {
    let url: URL

    enum Contents: Sendable {
        case nothing
        case state(NotificationState)
        /// It was set aside under another name.
        case damaged(movedTo: String)
    }

    func load() -> Contents {
        guard let data = try? Data(contentsOf: url) else { return .nothing }
        if let state = try? NotificationState(decoding: data) { return .state(state) }
        let aside = url.appendingPathExtension("damaged")
        try? FileManager.default.removeItem(at: aside)
        try? FileManager.default.moveItem(at: url, to: aside)
        return .damaged(movedTo: aside.path)
    }

    /// Texts of notifications are private: only the user reads the file.
    func save(_ state: NotificationState) throws {
        let manager = FileManager.default
        try manager.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        let next = url.appendingPathExtension("next")
        try? manager.removeItem(at: next)
        guard
            manager.createFile(
                atPath: next.path, contents: nil, attributes: [.posixPermissions: 0o600]),
            let handle = FileHandle(forWritingAtPath: next.path)
        else { throw CocoaError(.fileWriteNoPermission) }
        do {
            try handle.write(contentsOf: state.encoded())
            try handle.synchronize()
            try handle.close()
        } catch {
            try? handle.close()
            throw error
        }
        guard rename(next.path, url.path) == 0 else { throw CocoaError(.fileWriteUnknown) }
        let directory = open(url.deletingLastPathComponent().path, O_RDONLY | O_CLOEXEC)
        guard directory >= 0 else { return }
        defer { close(directory) }
        // Some file systems have no such call for directories; the new name is then as safe as they make it.
        _ = fsync(directory)
    }
}
