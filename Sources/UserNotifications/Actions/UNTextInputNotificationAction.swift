/// A button of a notification that asks the user for a text.
///
/// Sendable: adds nothing to its superclass.
open class UNTextInputNotificationAction: UNNotificationAction, @unchecked Sendable {
    /// Makes an action.
    public convenience init(
        identifier: String, title: String, options: UNNotificationActionOptions = [],
        textInputButtonTitle: String, textInputPlaceholder: String
    ) {
        self.init(
            identifier: identifier, title: title, options: options, icon: nil,
            textInputButtonTitle: textInputButtonTitle, textInputPlaceholder: textInputPlaceholder)
    }

    /// Makes an action with a picture.
    public convenience init(
        identifier: String, title: String, options: UNNotificationActionOptions = [],
        icon: UNNotificationActionIcon?, textInputButtonTitle: String, textInputPlaceholder: String
    ) {
        self.init(
            record: ActionRecord(
                identifier: identifier, title: TextRecord(decoding: title), options: options.rawValue,
                icon: icon?.record,
                textInput: ActionRecord.TextInput(
                    buttonTitle: TextRecord(decoding: textInputButtonTitle),
                    placeholder: TextRecord(decoding: textInputPlaceholder))))
    }

    /// What the button that sends the text says.
    open var textInputButtonTitle: String {
        record.textInput?.buttonTitle.shown(NotificationScope.localized) ?? ""
    }

    /// What the empty field says.
    open var textInputPlaceholder: String {
        record.textInput?.placeholder.shown(NotificationScope.localized) ?? ""
    }
}
