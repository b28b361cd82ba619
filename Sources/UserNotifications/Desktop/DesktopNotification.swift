/// A notification in the terms of org.freedesktop.Notifications.
///
/// Source: Desktop Notifications Specification 1.2.
package struct DesktopNotification: Hashable, Sendable {
    package enum Hint: Hashable, Sendable {
        case byte(UInt8)
        case boolean(Bool)
        case integer(Int64)
        case text(String)
    }

    package struct Action: Hashable, Sendable {
        package var key: String
        package var label: String
    }

    package var appName: String
    package var summary: String
    package var body: String
    package var actions: [Action]
    package var hints: [String: Hint]
    /// -1 for what the service does by itself, 0 for never.
    package var expireTimeoutMilliseconds: Int32

    /// The key that services press for a click on the notification itself.
    package static let defaultKey = "default"
    /// The key of an answer that is typed in the notification (KDE's extension).
    package static let inlineReplyKey = "inline-reply"
    /// More buttons do not fit (GNOME shows three).
    package static let actionCountMax = 3

    /// - Parameters:
    ///   - localized: looks up a key of the app's strings.
    ///   - capabilities: what the service says that it can do.
    package init(
        _ notification: NotificationRecord, category: CategoryRecord?, presentation: NotificationPresentation,
        appName: String, desktopEntry: String, capabilities: Set<String>, localized: (String) -> String?
    ) {
        let content = notification.request.content
        let title = content.title.shown(localized)
        let lines = [content.subtitle, content.body].map { $0.shown(localized) }.filter { !$0.isEmpty }
        self.appName = appName
        // A notification without summary is refused by some services.
        summary = title.isEmpty ? (lines.first ?? appName) : title
        let text = (title.isEmpty ? Array(lines.dropFirst()) : lines).joined(separator: "\n")
        if !capabilities.contains("body") {
            body = ""
        } else if !capabilities.contains("body-markup") {
            body = text
        } else if let styles = content.bodyStyles, !title.isEmpty, let last = lines.last {
            let hasLinks = capabilities.contains("body-hyperlinks")
            body =
                (lines.dropLast().map { DesktopMarkup.escaped($0) }
                + [DesktopMarkup.marked(last, styles: styles, hasLinks: hasLinks)]).joined(separator: "\n")
        } else {
            body = DesktopMarkup.escaped(text)
        }
        actions = Self.actions(of: category, capabilities: capabilities, localized: localized)
        let isCritical = content.interruptionLevel == 3
        let urgency: UInt8 = isCritical ? 2 : content.interruptionLevel == 0 ? 0 : 1
        expireTimeoutMilliseconds = isCritical ? 0 : -1
        hints = ["urgency": .byte(urgency), "desktop-entry": .text(desktopEntry)]
        if presentation.showsBanner, !presentation.isListed { hints["transient"] = .boolean(true) }
        if let image = content.attachments.first(where: { Self.images.contains($0.type) }) {
            hints["image-path"] = .text("file://" + Self.percentEncoded(image.path))
        }
        if capabilities.contains("sound") {
            if !presentation.playsSound {
                hints["suppress-sound"] = .boolean(true)
            } else if let path = presentation.soundPath {
                hints["sound-file"] = .text(path)
            } else {
                hints["sound-name"] = .text("message-new-instant")
            }
        }
        if let category = Self.categories[content.categoryIdentifier] { hints["category"] = .text(category) }
    }

    private static func actions(
        of category: CategoryRecord?, capabilities: Set<String>, localized: (String) -> String?
    ) -> [Action] {
        guard capabilities.contains("actions") else { return [] }
        var actions = [Action(key: defaultKey, label: "Open")]
        for action in (category?.actions ?? []).prefix(actionCountMax) {
            // A service that cannot take a text would press the button without one.
            let isReply = action.textInput != nil
            guard !isReply || capabilities.contains(inlineReplyKey) else { continue }
            actions.append(
                Action(
                    key: isReply ? inlineReplyKey : action.identifier, label: action.title.shown(localized)))
        }
        return actions
    }

    private static let images: Set<String> = ["public.jpeg", "public.png", "com.compuserve.gif"]

    /// Categories that the specification has, for apps that use its names.
    private static let categories = Dictionary(
        uniqueKeysWithValues: [
            "device", "device.added", "device.error", "device.removed", "email", "email.arrived",
            "email.bounced",
            "im", "im.error", "im.received", "network", "network.connected", "network.disconnected",
            "network.error", "presence", "presence.offline", "presence.online", "transfer",
            "transfer.complete",
            "transfer.error",
        ].map { ($0, $0) })

    private static func percentEncoded(_ path: String) -> String {
        var result = ""
        for byte in path.utf8 {
            let scalar = Unicode.Scalar(byte)
            if byte < 0x80,
                scalar.properties.isAlphabetic || (0x30...0x39).contains(byte)
                    || "/-_.~".unicodeScalars.contains(scalar)
            {
                result.unicodeScalars.append(scalar)
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                result += "%" + (digits.count < 2 ? "0" : "") + digits
            }
        }
        return result
    }
}
