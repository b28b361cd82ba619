/// The styled text of a message, to add to a notification's content.
open class UNNotificationAttributedMessageContext: NSObject, UNNotificationContentProviding {
    let attributedContent: NSAttributedString

    /// Makes a context.
    ///
    /// - Parameters:
    ///   - sendMessageIntent: what the message is about; Intents does not exist here, so any object.
    ///   - attributedContent: the text, of which emphasis, underlines and links are kept.
    public init(sendMessageIntent: NSObject, attributedContent: NSAttributedString) {
        self.attributedContent = NSAttributedString(attributedString: attributedContent)
        super.init()
    }
}

// Its properties never change, and the text is a copy of its own.
extension UNNotificationAttributedMessageContext: @unchecked Sendable {}
