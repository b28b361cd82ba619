internal import Foundation
internal import UserNotifications

/// Copies of files for the system, which moves away what it is given.
enum AttachmentCopy {
    static func attachments(_ files: [URL]) throws(BelfryKitError) -> [UNNotificationAttachment] {
        let directory = FileManager.default.temporaryDirectory
            .appendingPathComponent("belfry-reminder-" + UUID().uuidString)
        do {
            try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
            return try files.enumerated().map { index, file in
                // The name keeps its extension, which tells the type.
                let copy = directory.appendingPathComponent("\(index)-" + file.lastPathComponent)
                try FileManager.default.copyItem(at: file, to: copy)
                return try UNNotificationAttachment(identifier: "\(index)", url: copy, options: nil)
            }
        } catch {
            try? FileManager.default.removeItem(at: directory)
            let names = files.map(\.lastPathComponent).joined(separator: ", ")
            throw BelfryKitError(.invalidContent, "attachments: '\(names)' cannot be used: \(error)")
        }
    }
}
