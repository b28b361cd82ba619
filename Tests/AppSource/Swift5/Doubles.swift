// As apps replace the framework in their unit tests: protocols over the centre, and objects made with a coder.
import Foundation
import UserNotifications

public protocol UserNotificationCenterProtocol {
    var delegate: UNUserNotificationCenterDelegate? { get set }
    func notificationSettings() async -> UNNotificationSettings
    func getNotificationSettings(completionHandler: @escaping (UNNotificationSettings) -> Void)
    func requestAuthorization(options: UNAuthorizationOptions) async throws -> Bool
    func add(_ request: UNNotificationRequest) async throws
    func add(
        _ request: UNNotificationRequest,
        withCompletionHandler completionHandler: (@Sendable (Error?) -> Void)?)
    func pendingNotificationRequests() async -> [UNNotificationRequest]
    func removePendingNotificationRequests(withIdentifiers identifiers: [String])
    func removeAllPendingNotificationRequests()
    func removeDeliveredNotifications(withIdentifiers identifiers: [String])
    func setNotificationCategories(_ categories: Set<UNNotificationCategory>)
    func setBadgeCount(_ newBadgeCount: Int) async throws
}

extension UNUserNotificationCenter: UserNotificationCenterProtocol {}

public final class UserNotificationCenterDouble: UserNotificationCenterProtocol {
    public weak var delegate: UNUserNotificationCenterDelegate?
    public var added: [UNNotificationRequest] = []
    public init() {}

    public func notificationSettings() async -> UNNotificationSettings {
        UNNotificationSettings(coder: SettingsCoder())!
    }

    public func getNotificationSettings(
        completionHandler: @escaping (UNNotificationSettings) -> Void
    ) {
        completionHandler(UNNotificationSettings(coder: SettingsCoder())!)
    }

    public func requestAuthorization(options: UNAuthorizationOptions) async throws -> Bool {
        if options.contains(.criticalAlert) { throw UNError(.notificationsNotAllowed) }
        return true
    }

    public func add(_ request: UNNotificationRequest) async throws { added.append(request) }

    public func add(
        _ request: UNNotificationRequest,
        withCompletionHandler completionHandler: (@Sendable (Error?) -> Void)?
    ) {
        added.append(request)
        completionHandler?(nil)
    }

    public func pendingNotificationRequests() async -> [UNNotificationRequest] { added }
    public func removePendingNotificationRequests(withIdentifiers identifiers: [String]) {}
    public func removeAllPendingNotificationRequests() { added = [] }
    public func removeDeliveredNotifications(withIdentifiers identifiers: [String]) {}
    public func setNotificationCategories(_ categories: Set<UNNotificationCategory>) {}
    public func setBadgeCount(_ newBadgeCount: Int) async throws {}
}

final class SettingsCoder: NSCoder {
    override var allowsKeyedCoding: Bool { true }
    override func decodeInt64(forKey key: String) -> Int64 {
        key == "authorizationStatus" ? Int64(UNAuthorizationStatus.authorized.rawValue) : 0
    }
    override func decodeBool(forKey key: String) -> Bool { true }
}

final class NotificationCoder: NSCoder {
    let request: UNNotificationRequest
    let action: String

    init(request: UNNotificationRequest, action: String) {
        self.request = request
        self.action = action
    }

    override var allowsKeyedCoding: Bool { true }

    override func decodeObject(forKey key: String) -> Any? {
        switch key {
        case "date": return Date(timeIntervalSince1970: 1_780_000_000)
        case "request": return request
        case "notification": return UNNotification(coder: self)
        case "actionIdentifier": return action
        case "userText": return "typed"
        default: return nil
        }
    }
}

public class NotificationDouble: UNNotification, @unchecked Sendable {
    public convenience init(_ request: UNNotificationRequest) {
        self.init(coder: NotificationCoder(request: request, action: ""))!
    }
}

public class ResponseDouble: UNNotificationResponse, @unchecked Sendable {
    public convenience init(_ request: UNNotificationRequest, action: String) {
        self.init(coder: NotificationCoder(request: request, action: action))!
    }
}

public func textResponse(_ request: UNNotificationRequest) -> UNTextInputNotificationResponse? {
    UNTextInputNotificationResponse(coder: NotificationCoder(request: request, action: "reply"))
}

public class FixedTrigger: UNNotificationTrigger, @unchecked Sendable {
    public override var repeats: Bool { true }
}

public class LoudContent: UNMutableNotificationContent {
    public override init() {
        super.init()
        sound = .defaultCritical
        interruptionLevel = .timeSensitive
    }

    public required init?(coder: NSCoder) { super.init(coder: coder) }
}
