internal import UserNotifications

/// Why an app was started (`UIApplication.LaunchOptionsKey`).
public struct LaunchOptions: Sendable {
    /// The notification that was tapped, or that the app was started for.
    let remote: RequestRecord?

    init(remote: RequestRecord? = nil) { self.remote = remote }

    /// Whether the app was opened by its icon, or started for nothing that has options.
    public var isEmpty: Bool { remote == nil }

    /// The payload of the remote notification (`.remoteNotification`).
    public var remoteNotification: [AnyHashable: Any]? { remote.map { UserInfo.dictionary(of: $0) } }
}
