// As an app of today is written: Swift 6, async, a delegate on the main actor.
import UserNotifications

public enum ReminderError: Error { case notAllowed }

@MainActor
public final class NotificationModel: NSObject {
    public private(set) var isAllowed = false
    public private(set) var opened: [String] = []
    public private(set) var presented = 0

    private let center: UNUserNotificationCenter

    public init(center: UNUserNotificationCenter = .current()) {
        self.center = center
        super.init()
        center.delegate = self
    }

    public func ask() async {
        do {
            isAllowed = try await center.requestAuthorization(options: [.alert, .badge, .sound, .provisional])
        } catch let error as UNError where error.code == .notificationsNotAllowed {
            isAllowed = false
        } catch {
            isAllowed = false
        }
    }

    public func refresh() async {
        let settings = await center.notificationSettings()
        isAllowed = [.authorized, .provisional, .ephemeral].contains(settings.authorizationStatus)
    }

    public func remind(_ text: String, in seconds: TimeInterval) async throws {
        guard isAllowed else { throw ReminderError.notAllowed }
        let content = UNMutableNotificationContent()
        content.title = text
        content.interruptionLevel = .timeSensitive
        content.relevanceScore = 0.8
        content.threadIdentifier = "reminders"
        content.sound = .default
        let trigger = UNTimeIntervalNotificationTrigger(timeInterval: seconds, repeats: false)
        try await center.add(UNNotificationRequest(identifier: text, content: content, trigger: trigger))
    }

    public func clear() async throws {
        center.removeAllPendingNotificationRequests()
        center.removeAllDeliveredNotifications()
        try await center.setBadgeCount(0)
    }

    public func summary() async -> [String] {
        async let pending = center.pendingNotificationRequests().map(\.identifier)
        async let delivered = center.deliveredNotifications().map(\.request.identifier)
        return await pending + delivered
    }
}

extension NotificationModel: UNUserNotificationCenterDelegate {
    nonisolated public func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification
    ) async -> UNNotificationPresentationOptions {
        await MainActor.run { presented += 1 }
        return [.banner, .list, .sound, .badge]
    }

    public func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse
    ) async {
        opened.append(response.notification.request.identifier + " " + response.actionIdentifier)
    }
}

/// A delegate that answers from another queue.
public final class QueueDelegate: NSObject, UNUserNotificationCenterDelegate {
    public func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
        withCompletionHandler completionHandler:
            @escaping @Sendable (UNNotificationPresentationOptions) -> Void
    ) {
        DispatchQueue.global(qos: .background).async { completionHandler([.list]) }
    }
}

/// A delegate that goes over to the main actor to answer.
@MainActor
public final class HoppingDelegate: NSObject, UNUserNotificationCenterDelegate {
    public var options: UNNotificationPresentationOptions = [.banner]
    public private(set) var responses: [String] = []

    nonisolated public func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
        withCompletionHandler completionHandler:
            @escaping @Sendable (UNNotificationPresentationOptions) -> Void
    ) {
        Task { @MainActor in completionHandler(options) }
    }

    nonisolated public func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping @Sendable () -> Void
    ) {
        Task { @MainActor in
            responses.append(response.actionIdentifier)
            completionHandler()
        }
    }
}

/// A delegate whose conformance is checked at run time.
@MainActor
public final class PreconcurrencyDelegate: NSObject, @preconcurrency UNUserNotificationCenterDelegate {
    public private(set) var presented = 0
    public private(set) var wantsSettings = 0

    public func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
    ) {
        presented += 1
        completionHandler([.sound, .list])
    }

    public func userNotificationCenter(
        _ center: UNUserNotificationCenter, openSettingsFor notification: UNNotification?
    ) {
        wantsSettings += 1
    }
}

/// A delegate that is an actor's servant: its functions belong to no actor, and it is sendable by itself.
public final class ForwardingDelegate: NSObject, UNUserNotificationCenterDelegate, Sendable {
    private let forward: @Sendable (UNNotificationResponse) async -> Void

    public init(_ forward: @escaping @Sendable (UNNotificationResponse) async -> Void) {
        self.forward = forward
    }

    public func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse
    ) async {
        await forward(response)
    }
}

/// A service extension in Swift 6.
public final class SecretService: UNNotificationServiceExtension {
    private var handler: ((UNNotificationContent) -> Void)?
    private var best: UNMutableNotificationContent?

    public override func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        handler = contentHandler
        best = request.content.mutableCopy() as? UNMutableNotificationContent
        guard let best else { return contentHandler(request.content) }
        best.body = String(best.body.reversed())
        contentHandler(best)
    }

    public override func serviceExtensionTimeWillExpire() {
        if let best { handler?(best) }
    }
}
