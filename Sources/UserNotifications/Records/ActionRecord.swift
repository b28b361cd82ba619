/// A button of a notification.
package struct ActionRecord: Hashable, Sendable, Codable {
    package struct TextInput: Hashable, Sendable, Codable {
        package var buttonTitle: TextRecord
        package var placeholder: TextRecord
    }

    package struct Icon: Hashable, Sendable, Codable {
        package var name: String
        package var isSystemImage: Bool
    }

    package var identifier: String
    package var title: TextRecord
    /// The raw value of `UNNotificationActionOptions`.
    package var options: UInt
    package var icon: Icon?
    /// For an action that asks for a text.
    package var textInput: TextInput?
}
