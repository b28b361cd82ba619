/// A picture, sound or film that a notification shows.
///
/// Sendable: the record never changes.
open class UNNotificationAttachment: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    package let record: AttachmentRecord

    package init(record: AttachmentRecord) {
        self.record = record
        super.init()
    }

    /// Makes an attachment of a file, which is checked now and moved into the store when its request is added.
    ///
    /// - Parameters:
    ///   - identifier: what the app calls it; one is made up for an empty text.
    ///   - url: a file on this machine. It is gone from there once the request is added.
    ///   - options: under the keys that begin with `UNNotificationAttachmentOptions`.
    /// - Throws: `attachmentInvalidURL`, `attachmentUnrecognizedType`, `attachmentInvalidFileSize` or
    ///   `attachmentCorrupt`.
    public convenience init(identifier: String, url: URL, options: [AnyHashable: Any]? = nil) throws {
        guard url.isFileURL else {
            throw AttachmentFile.error(.attachmentInvalidURL, "found a URL that is none of a file")
        }
        let hint = options?[UNNotificationAttachmentOptionsTypeHintKey] as? String
        guard let type = AttachmentType.type(ofName: url.lastPathComponent, hint: hint) else {
            throw AttachmentFile.error(
                .attachmentUnrecognizedType,
                hint ?? "'\(url.lastPathComponent)' has no suffix of a known type")
        }
        try AttachmentFile.check(url.path, type: type)
        self.init(
            record: AttachmentRecord(
                identifier: identifier.isEmpty ? UUID().uuidString : identifier, path: url.path,
                type: type.identifier, options: PropertyValue.members(of: options ?? [:]) ?? [:]))
    }

    /// What the app calls it.
    open var identifier: String { record.identifier }

    /// Where the file is.
    open var url: URL { URL(fileURLWithPath: record.path) }

    /// The uniform type identifier of the file.
    open var type: String { record.type }

    /// Whether another attachment is the same file under the same name.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? UNNotificationAttachment)?.record == record
    }

    /// A number that equal attachments share.
    open override var hash: Int { record.hashValue }

    /// The object itself, which never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Archiving is secure.
    open class var supportsSecureCoding: Bool { true }

    /// Writes the attachment into an archive, without its file.
    open func encode(with coder: NSCoder) { RecordCoding.encode(record, with: coder) }

    /// Reads an attachment of an archive; nil when it holds none.
    public required init?(coder: NSCoder) {
        guard let record = RecordCoding.decode(AttachmentRecord.self, with: coder) else { return nil }
        self.record = record
        super.init()
    }
}
