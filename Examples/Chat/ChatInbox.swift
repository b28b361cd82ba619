public import BelfryKit
public import UserNotifications

/// The app: conversations, fed by pushes that read "sender: text".
@MainActor public final class ChatInbox {
    /// Sends a text into a conversation; false when it did not go through.
    public typealias Send = @MainActor @Sendable (_ text: String, _ conversation: String) async -> Bool
    /// Asks the chat's server for what was missed.
    public typealias FetchMissed = @MainActor @Sendable () async -> [ChatLine]

    /// The button on a message's push; a push names it in `category`.
    public static var category: UNNotificationCategory {
        UNNotificationCategory(
            identifier: "message",
            actions: [
                UNTextInputNotificationAction(
                    identifier: "reply", title: "Reply", options: [], textInputButtonTitle: "Send",
                    textInputPlaceholder: "Message")
            ], intentIdentifiers: [], options: [])
    }

    /// All messages, oldest first.
    public private(set) var lines: [ChatLine] = []
    /// The conversation on the screen.
    public private(set) var openConversation: String?
    /// Replies that did not go through, for the user to see.
    public private(set) var unsent: [ChatLine] = []

    private let send: Send
    private let fetchMissed: FetchMissed

    /// Makes the app.
    public init(belfry: Belfry, send: @escaping Send, fetchMissed: @escaping FetchMissed) {
        self.send = send
        self.fetchMissed = fetchMissed
        // Fails only for actions with one name and two titles, and this is the only one.
        try? belfry.categories.register([Self.category])
        belfry.onEvent { [weak self] in await self?.handle($0) }
        belfry.onPresent { [weak self] notification in
            let line = Self.line(notification)
            return line != nil && line?.conversation == self?.openConversation ? .none : .full
        }
        belfry.onBackgroundPush { [weak self] notification in
            guard let self, let line = Self.line(notification) else { return .noData }
            return add(line) ? .newData : .noData
        }
    }

    /// The messages of one conversation.
    public func texts(_ conversation: String) -> [String] {
        lines.filter { $0.conversation == conversation }.map(\.text)
    }

    /// The user opens a conversation in the app.
    public func open(_ conversation: String) { openConversation = conversation }

    /// The user goes back to the list.
    public func close() { openConversation = nil }

    private func handle(_ event: NotificationEvent) async {
        if case .openedByIcon = event {
            for line in await fetchMissed() { add(line) }
            return
        }
        guard let notification = event.notification, let line = Self.line(notification) else { return }
        add(line)
        switch event {
        case .opened: openConversation = line.conversation
        case .action("reply", _, let text?, _):
            let reply = ChatLine(
                id: "reply-to-" + line.id, conversation: line.conversation, text: text, isMine: true)
            if await send(text, line.conversation) { add(reply) } else { unsent.append(reply) }
        default: break
        }
    }

    /// Adds a message unless it is there: a push may come by more than one way.
    @discardableResult
    private func add(_ line: ChatLine) -> Bool {
        guard !lines.contains(where: { $0.id == line.id }) else { return false }
        lines.append(line)
        return true
    }

    private static func line(_ notification: ReceivedNotification) -> ChatLine? {
        guard let message = notification.chatMessage else { return nil }
        return ChatLine(
            id: notification.payload["id"]?.text ?? notification.identifier,
            conversation: message.sender, text: message.text)
    }
}
