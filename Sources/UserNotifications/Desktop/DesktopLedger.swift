/// Which notification of the app is which one of the desktop's service, and what the service's signals mean.
///
/// The service numbers what it shows. A number is forgotten when the notification is closed or acted on, so that the
/// close that follows an action means nothing, and when the service restarts, which gives the numbers out again.
package struct DesktopLedger: Sendable {
    package enum Event: Hashable, Sendable {
        case tap(String)
        case act(String, action: String, text: String?)
        case dismiss(String)
    }

    private struct Entry: Sendable {
        var identifier: String
        /// The action that takes a text, if the category has one.
        var replyAction: String?
    }

    private var entries: [UInt32: Entry] = [:]
    private var numbers: [String: UInt32] = [:]

    /// How many notifications are remembered; the service forgets sooner.
    package static let entryCountMax = 1000

    package init() {}

    /// The number that a new notification takes the place of; 0 for none.
    package func replaced(by identifier: String) -> UInt32 { numbers[identifier] ?? 0 }

    package mutating func shown(_ identifier: String, number: UInt32, category: CategoryRecord?) {
        forget(identifier)
        if entries.count >= Self.entryCountMax, let oldest = entries.keys.min() { forgetNumber(oldest) }
        entries[number] = Entry(
            identifier: identifier, replyAction: category?.actions.first { $0.textInput != nil }?.identifier)
        numbers[identifier] = number
    }

    /// The app takes a notification back.
    ///
    /// - Returns: the number to close; nil when it is not shown.
    @discardableResult
    package mutating func forget(_ identifier: String) -> UInt32? {
        guard let number = numbers.removeValue(forKey: identifier) else { return nil }
        entries[number] = nil
        return number
    }

    /// The signal ActionInvoked, or NotificationReplied with a text.
    package mutating func invoked(number: UInt32, key: String, text: String? = nil) -> Event? {
        guard let entry = forgetNumber(number) else { return nil }
        switch key {
        case DesktopNotification.defaultKey: return .tap(entry.identifier)
        case DesktopNotification.inlineReplyKey:
            guard let action = entry.replyAction else { return nil }
            return .act(entry.identifier, action: action, text: text ?? "")
        default: return .act(entry.identifier, action: key, text: nil)
        }
    }

    /// The signal NotificationClosed: 1 expired, 2 dismissed by the user, 3 closed by a call, 4 undefined.
    package mutating func closed(number: UInt32, reason: UInt32) -> Event? {
        // What expired stays in the list, and can still be replaced under its number.
        guard reason == 2 || reason == 3, let entry = forgetNumber(number) else { return nil }
        return reason == 2 ? .dismiss(entry.identifier) : nil
    }

    package mutating func serviceRestarted() {
        entries = [:]
        numbers = [:]
    }

    @discardableResult
    private mutating func forgetNumber(_ number: UInt32) -> Entry? {
        guard let entry = entries.removeValue(forKey: number) else { return nil }
        numbers[entry.identifier] = nil
        return entry
    }
}
