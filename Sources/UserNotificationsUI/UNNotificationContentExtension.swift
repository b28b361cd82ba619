public import Foundation
public import UserNotifications

/// A view of an app's own for its notifications.
///
/// Nothing here shows one: on a desktop and on a virtual phone notifications have the system's look. The protocol is
/// here so that an extension's source compiles, and a test can call it.
@MainActor
public protocol UNNotificationContentExtension: NSObjectProtocol {
    /// A notification is to be shown.
    func didReceive(_ notification: UNNotification)

    /// The user pressed a button of the notification; the handler says what becomes of it.
    func didReceive(
        _ response: UNNotificationResponse,
        completionHandler completion: @escaping (UNNotificationContentExtensionResponseOption) -> Void)

    /// Whether there is a button to play media.
    var mediaPlayPauseButtonType: UNNotificationContentExtensionMediaPlayPauseButtonType { get }

    /// Where the button is.
    var mediaPlayPauseButtonFrame: CGRect { get }

    /// The colour of the button.
    var mediaPlayPauseButtonTintColor: UIColor { get }

    /// The user wants to hear or see the media.
    func mediaPlay()

    /// The user wants it to pause.
    func mediaPause()
}

extension UNNotificationContentExtension {
    /// Lets the app handle the action.
    public func didReceive(
        _ response: UNNotificationResponse,
        completionHandler completion: @escaping (UNNotificationContentExtensionResponseOption) -> Void
    ) {
        completion(.dismissAndForwardAction)
    }

    /// No button.
    public var mediaPlayPauseButtonType: UNNotificationContentExtensionMediaPlayPauseButtonType { .none }

    /// Nowhere.
    public var mediaPlayPauseButtonFrame: CGRect { .zero }

    /// White.
    public var mediaPlayPauseButtonTintColor: UIColor { .white }

    /// Does nothing.
    public func mediaPlay() {}

    /// Does nothing.
    public func mediaPause() {}
}
