internal import Foundation

/// What a file has to be to become an attachment.
enum AttachmentFile {
    /// Checks size and first bytes of a file.
    static func check(_ path: String, type: AttachmentType) throws(UNError) {
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory), !isDirectory.boolValue,
            let handle = FileHandle(forReadingAtPath: path)
        else {
            throw error(.attachmentInvalidURL, "\(name(path)): no readable file")
        }
        defer { try? handle.close() }
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        let size = (attributes?[.size] as? NSNumber)?.intValue ?? 0
        guard size > 0, size <= type.byteCountMax else {
            throw error(
                .attachmentInvalidFileSize,
                "\(name(path)): found \(size) bytes, allowed for \(type.identifier): 1 to \(type.byteCountMax)"
            )
        }
        let head = (try? handle.read(upToCount: AttachmentType.headByteCount)).flatMap { $0 } ?? Data()
        guard type.matches(head: Array(head)) else {
            throw error(.attachmentCorrupt, "\(name(path)): its bytes are none of \(type.identifier)")
        }
    }

    static func name(_ path: String) -> String { (path as NSString).lastPathComponent }

    static func error(_ code: UNError.Code, _ message: String) -> UNError {
        UNError(code, userInfo: [NSLocalizedDescriptionKey: message])
    }
}
