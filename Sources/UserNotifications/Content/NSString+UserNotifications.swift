extension NSString {
    /// A text that is looked up in the app's strings when it is shown, not now.
    ///
    /// Set it as title, subtitle, body, or a button's title. In other places it is no readable text.
    ///
    /// - Parameters:
    ///   - key: a key of `Localizable.strings`.
    ///   - arguments: what takes the places of `%@` in it.
    public static func localizedUserNotificationString(
        forKey key: String, arguments: [Any]?
    ) -> String {
        TextRecord(key, arguments: (arguments ?? []).map { String(describing: $0) }).encoded
    }
}
