internal import Foundation

/// The directory in which the files of pending and delivered notifications are.
struct AttachmentStore: Sendable {
    let directory: URL

    /// Moves files into the store; a file that is there already stays, one of the app's bundle is copied.
    ///
    /// Nothing is moved unless all can be.
    func take(_ attachments: [AttachmentRecord]) throws(UNError) -> [AttachmentRecord] {
        for attachment in attachments {
            guard let type = AttachmentType.type(ofName: attachment.path, hint: attachment.type) else {
                throw AttachmentFile.error(.attachmentUnrecognizedType, attachment.type)
            }
            try AttachmentFile.check(attachment.path, type: type)
        }
        var taken: [AttachmentRecord] = []
        for var attachment in attachments {
            if !contains(attachment.path) { attachment.path = try move(attachment.path) }
            taken.append(attachment)
        }
        return taken
    }

    private func move(_ path: String) throws(UNError) -> String {
        let source = URL(fileURLWithPath: path)
        let target = directory.appendingPathComponent(UUID().uuidString + "-" + source.lastPathComponent)
        let manager = FileManager.default
        do {
            try manager.createDirectory(
                at: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            if path.hasPrefix(Bundle.main.bundlePath + "/") {
                try manager.copyItem(at: source, to: target)
            } else {
                try manager.moveItem(at: source, to: target)
            }
        } catch {
            throw AttachmentFile.error(
                .attachmentMoveIntoDataStoreFailed,
                "\(source.lastPathComponent): \(error.localizedDescription)")
        }
        return target.path
    }

    func contains(_ path: String) -> Bool {
        path.hasPrefix(directory.path + "/") && FileManager.default.fileExists(atPath: path)
    }

    /// Deletes files that no notification needs any more.
    func sweep(keeping paths: Set<String>) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
        for name in names where UUID(uuidString: String(name.prefix(36))) != nil {
            let path = directory.appendingPathComponent(name).path
            // A file that cannot be deleted is found again by the next sweep.
            if !paths.contains(path) { try? FileManager.default.removeItem(atPath: path) }
        }
    }
}
