public import Foundation
public import UserNotifications

/// What an extension can say to the system, as far as notifications go.
@MainActor
open class NSExtensionContext: NSObject {
    /// The buttons of the notification, which the extension may change.
    open var notificationActions: [UNNotificationAction] = []

    /// Whether the extension has said that media play.
    public private(set) var isMediaPlaying = false
    /// Whether the extension has asked to open the app.
    public private(set) var isDefaultActionPerformed = false
    /// Whether the extension has asked to be dismissed.
    public private(set) var isDismissed = false

    /// Makes a context of a notification without buttons.
    public override init() { super.init() }

    /// Media play now.
    open func mediaPlayingStarted() { isMediaPlaying = true }

    /// Media pause now.
    open func mediaPlayingPaused() { isMediaPlaying = false }

    /// Opens the app, as a tap on the notification does.
    open func performNotificationDefaultAction() { isDefaultActionPerformed = true }

    /// Takes the extension's view away.
    open func dismissNotificationContentExtension() { isDismissed = true }
}
