internal import Foundation
internal import Recurrence
internal import UserNotifications

extension UNUserNotificationCenter {
    /// Whether requests are kept: the user said yes, or was never asked because it is provisional.
    var mayNotify: Bool {
        get async {
            await withCheckedContinuation { continuation in
                getNotificationSettings { settings in
                    let status = settings.authorizationStatus
                    continuation.resume(returning: status != .denied && status != .notDetermined)
                }
            }
        }
    }

    /// What the planner wants to know of all pending requests.
    var plannerRequests: [PendingRequest] {
        get async {
            await withCheckedContinuation { continuation in
                getPendingNotificationRequests { requests in
                    continuation.resume(returning: requests.map { PendingRequest($0) })
                }
            }
        }
    }

    /// Identifiers of the planner's notifications that are in the list.
    var deliveredReminders: [String] {
        get async {
            await withCheckedContinuation { continuation in
                getDeliveredNotifications { notifications in
                    let identifiers = notifications.map(\.request.identifier)
                    continuation.resume(returning: identifiers.filter { RequestIdentifier.isOurs($0) })
                }
            }
        }
    }
}

extension PendingRequest {
    init(_ request: UNNotificationRequest) {
        self.init(identifier: request.identifier)
        guard RequestIdentifier.isOurs(identifier),
            let members = request.content.userInfo[RequestUserInfo.key] as? [String: Any]
        else { return }
        mark = members[RequestUserInfo.mark] as? String
        instant = (members[RequestUserInfo.instant] as? String).flatMap { Instant(iso8601: $0) }
    }
}
