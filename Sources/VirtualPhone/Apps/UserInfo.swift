internal import UserNotifications

/// A payload as apps read it.
enum UserInfo {
    static func dictionary(of request: RequestRecord) -> [AnyHashable: Any] {
        UNNotificationContent(record: request.content).userInfo
    }
}
