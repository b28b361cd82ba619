// The part of UIKit that BelfryKit uses, with Apple's names, types and isolation (Apple: UIKit), so that the code behind
// canImport(UIKit) is type-checked where there is no UIKit. Nothing here runs.
public import Foundation

@MainActor open class UIResponder: NSObject {}

@MainActor public protocol UIApplicationDelegate: NSObjectProtocol {}

@MainActor open class UIApplication: UIResponder {
    public class var shared: UIApplication { UIApplication() }

    public enum State: Int, Sendable {
        case active = 0
        case inactive = 1
        case background = 2
    }

    public struct LaunchOptionsKey: Hashable, RawRepresentable, Sendable {
        public var rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public static let remoteNotification = LaunchOptionsKey(rawValue: "remote")
        @available(*, deprecated) public static let localNotification = LaunchOptionsKey(rawValue: "local")
        public static let url = LaunchOptionsKey(rawValue: "url")
    }

    public struct OpenExternalURLOptionsKey: Hashable, RawRepresentable, Sendable {
        public var rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    public var applicationState: State { .active }
    @available(*, deprecated) public var applicationIconBadgeNumber: Int {
        get { 0 }
        set {}
    }
    public func registerForRemoteNotifications() {}
    public func unregisterForRemoteNotifications() {}
    public func open(_ url: URL, options: [OpenExternalURLOptionsKey: Any] = [:]) async -> Bool { false }
    nonisolated public class var openSettingsURLString: String { "" }
    nonisolated public class var openNotificationSettingsURLString: String { "" }
    public func beginBackgroundTask(
        withName name: String?, expirationHandler: (@MainActor @Sendable () -> Void)? = nil
    ) -> UIBackgroundTaskIdentifier { .invalid }
    public func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier) {}

    nonisolated public class var willEnterForegroundNotification: Notification.Name { .init("a") }
    nonisolated public class var didBecomeActiveNotification: Notification.Name { .init("b") }
    nonisolated public class var willResignActiveNotification: Notification.Name { .init("c") }
    nonisolated public class var didEnterBackgroundNotification: Notification.Name { .init("d") }
}

public struct UIBackgroundTaskIdentifier: RawRepresentable, Hashable, Sendable {
    public var rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    public static let invalid = UIBackgroundTaskIdentifier(rawValue: 0)
}

public enum UIBackgroundFetchResult: UInt, Sendable {
    case newData = 0
    case noData = 1
    case failed = 2
}

@MainActor open class UIDevice: NSObject {
    public class var current: UIDevice { UIDevice() }
    public var identifierForVendor: UUID? { nil }
}
