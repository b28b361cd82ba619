public import Foundation
public import Recurrence
public import UserNotifications

/// A notification as the app gets it, local or remote, with what apps read out of it.
public struct ReceivedNotification: Hashable, Sendable {
    /// Where a notification comes from.
    public enum Source: String, Sendable, Hashable, CaseIterable {
        /// Scheduled by the app itself.
        case local
        /// Sent by a push service.
        case remote
    }

    /// Members of a payload in which a link is looked for, first one first.
    public static let linkKeys = ["url", "link", "deep_link", "deepLink", "deeplink", "uri"]
    /// Members of a payload that name the push, as the push service's analytics know them.
    public static let pushIDKeys = [
        "notificationId", "notification_id", "notificationID", "_notificationId", "pushId",
    ]
    /// Where a reminder's request carries the moment it stands for, in milliseconds since 1970.
    public static let occurrenceKey = "belfry.occurrence"

    /// The request's identifier; of a remote one its collapse id, or what the system made up.
    public var identifier: String
    /// Where it comes from.
    public var source: Source
    /// When it was delivered.
    public var date: Instant
    /// The first line.
    public var title: String
    /// The second line.
    public var subtitle: String
    /// The text.
    public var body: String
    /// Its category's identifier; empty without one.
    public var category: String
    /// Its thread's identifier; empty without one.
    public var thread: String
    /// The number for the icon; nil leaves it as it is.
    public var badge: Int?
    /// The whole payload of a remote one, with `aps`; the user info of a local one.
    public var payload: [String: PayloadValue]

    /// Makes a notification.
    public init(
        identifier: String, source: Source, date: Instant, title: String = "", subtitle: String = "",
        body: String = "", category: String = "", thread: String = "", badge: Int? = nil,
        payload: [String: PayloadValue] = [:]
    ) {
        self.identifier = identifier
        self.source = source
        self.date = date
        self.title = title
        self.subtitle = subtitle
        self.body = body
        self.category = category
        self.thread = thread
        self.badge = badge
        self.payload = payload
    }

    /// Reads a notification of the system.
    public init(_ notification: UNNotification) {
        self.init(
            notification.request,
            date: Instant(
                millisecondsSince1970: Int64((notification.date.timeIntervalSince1970 * 1000).rounded())))
    }

    /// Reads a request of the system, such as a service extension gets.
    public init(_ request: UNNotificationRequest, date: Instant) {
        let content = request.content
        self.init(
            identifier: request.identifier,
            source: request.trigger is UNPushNotificationTrigger ? .remote : .local, date: date,
            title: content.title, subtitle: content.subtitle, body: content.body,
            category: content.categoryIdentifier, thread: content.threadIdentifier,
            badge: content.badge?.intValue, payload: Self.payload(content.userInfo))
    }

    /// Reads a remote payload without a notification around it, as the app delegate gets it.
    public init(payload: [AnyHashable: Any], date: Instant) {
        self.init(payload: Self.payload(payload), date: date)
    }

    /// Reads a remote payload.
    public init(payload: [String: PayloadValue], date: Instant) {
        let aps = payload["aps"]
        let alert = aps?["alert"]
        self.init(
            identifier: Self.pushID(in: payload) ?? "", source: .remote, date: date,
            title: alert?["title"]?.text ?? "", subtitle: alert?["subtitle"]?.text ?? "",
            body: alert?.text ?? alert?["body"]?.text ?? "", category: aps?["category"]?.text ?? "",
            thread: aps?["thread-id"]?.text ?? "",
            badge: (aps?["badge"]?.integer).flatMap { Int(exactly: $0) },
            payload: payload)
    }

    /// Members that cannot be read are left out; the others stay.
    private static func payload(_ userInfo: [AnyHashable: Any]) -> [String: PayloadValue] {
        var members: [String: PayloadValue] = [:]
        for (key, value) in userInfo {
            if let key = key as? String, let read = PayloadValue(value) { members[key] = read }
        }
        return members
    }

    private static func pushID(in payload: [String: PayloadValue]) -> String? {
        pushIDKeys.lazy.compactMap { payload[$0]?.text }.first { !$0.isEmpty }
    }

    // MARK: What apps read

    /// The push service's id of the push; nil for a local one.
    ///
    /// A payload may name it. Otherwise it is the collapse id, which the push service sets to the push's id unless the
    /// message has one of its own.
    public var pushID: String? {
        if let named = Self.pushID(in: payload) { return named }
        guard source == .remote else { return nil }
        let isID =
            (1...16).contains(identifier.utf8.count)
            && identifier.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
                default: false
                }
            }
        return isID ? identifier : nil
    }

    /// Where a tap should lead: the first of ``linkKeys`` that holds an address.
    public var link: URL? {
        Self.linkKeys.lazy.compactMap { payload[$0]?.text }.compactMap(Self.address).first
    }

    /// A link with a scheme, such as `https://…` or `app:item/7`.
    private static func address(_ text: String) -> URL? {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard let url = URL(string: text), let scheme = url.scheme, !scheme.isEmpty else { return nil }
        return url
    }

    /// The sender and the text of a chat message; nil when it names no sender.
    public var chatMessage: ChatMessage? { ChatMessage(title: title, body: body) }

    /// The moment a reminder stands for, also when it is answered after midnight; nil for a remote one.
    public var occurrence: Instant? {
        guard source == .local else { return nil }
        return payload[Self.occurrenceKey]?.integer.map(Instant.init(millisecondsSince1970:)) ?? date
    }
}
