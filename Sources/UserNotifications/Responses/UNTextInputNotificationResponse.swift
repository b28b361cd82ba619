/// What the user wrote in answer to a notification.
///
/// Sendable: adds nothing to its superclass.
open class UNTextInputNotificationResponse: UNNotificationResponse, @unchecked Sendable {
    /// The text.
    open var userText: String { record.userText ?? "" }

    package override init(record: ResponseRecord) { super.init(record: record) }

    /// Reads an object of an archive; nil when it holds none.
    public required init?(coder: NSCoder) {
        guard RecordCoding.isArchive(coder) else {
            guard let record = ResponseRecord(answering: coder, hasText: true) else { return nil }
            super.init(record: record)
            return
        }
        super.init(coder: coder)
    }
}
