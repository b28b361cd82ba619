extension NotificationCenterMachine {
    /// What the user can do with a delivered notification.
    package enum Gesture: Hashable, Sendable {
        case tap
        /// Explicitly cleared; flicking a banner away is none.
        case dismiss
        case action(String, userText: String? = nil)
    }

    /// The user acts on a notification, which leaves the list.
    ///
    /// - Parameter banner: one that is on screen without being in the list.
    /// - Returns: what the app gets, nil when it gets nothing.
    package mutating func respond(
        to identifier: String, with gesture: Gesture, banner: NotificationRecord? = nil
    ) -> (response: ResponseRecord?, actions: [NotificationCenterAction]) {
        guard let notification = state.delivered.last(where: { $0.identifier == identifier }) ?? banner else {
            return (nil, [])
        }
        let category = state.categories[notification.request.content.categoryIdentifier]
        var response: ResponseRecord?
        switch gesture {
        case .tap:
            response = ResponseRecord(
                notification: notification, actionIdentifier: UNNotificationDefaultActionIdentifier,
                opensApp: true, needsUnlock: true)
        case .dismiss:
            if category?.reportsDismissal == true {
                response = ResponseRecord(
                    notification: notification, actionIdentifier: UNNotificationDismissActionIdentifier,
                    opensApp: false, needsUnlock: false)
            }
        case .action(let name, let text):
            guard let action = category?.action(name) else {
                return (
                    nil,
                    [
                        .diagnose(
                            "notification '\(identifier)' has no action '\(name)': its category "
                                + "'\(notification.request.content.categoryIdentifier)' "
                                + (category == nil ? "is not registered" : "lacks it"))
                    ]
                )
            }
            let options = UNNotificationActionOptions(rawValue: action.options)
            response = ResponseRecord(
                notification: notification, actionIdentifier: name,
                userText: action.textInput == nil ? nil : text ?? "",
                opensApp: options.contains(.foreground),
                needsUnlock: !options.isDisjoint(with: [.foreground, .authenticationRequired]))
        }
        return (response, removeDelivered([identifier]))
    }
}
