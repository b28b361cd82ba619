// As apps of some years ago are written: Swift 5, completion handlers, nothing about actors.
import Foundation
import UserNotifications

public class ReminderManager: NSObject {
    public static let shared = ReminderManager()
    public var isAuthorized = false
    public var lastError: Error?
    public var log: [String] = []

    let notificationCenter = UNUserNotificationCenter.current()

    public func askForPermission(done: @escaping () -> Void) {
        let options: UNAuthorizationOptions = [.alert, .badge, .sound]
        UNUserNotificationCenter.current().requestAuthorization(options: options) {
            (granted: Bool, error: Error?) in
            self.isAuthorized = granted
            if let error = error {
                print(error.localizedDescription)
            }
            done()
        }
    }

    public func status(done: @escaping (String) -> Void) {
        var text = "?"
        UNUserNotificationCenter.current().getNotificationSettings(completionHandler: { (settings) in
            switch settings.authorizationStatus {
            case .notDetermined: text = "not determined"
            case .denied: text = "denied"
            case .authorized: text = "authorized"
            case .provisional: text = "provisional"
            default: text = "other"
            }
            if settings.soundSetting == .enabled && settings.alertStyle != .none { text += ", loud" }
            done(text)
        })
    }

    /// One request for each weekday that is chosen.
    public func scheduleWeekly(weekdays: [Int], hour: Int, minute: Int, body: String) {
        let content = UNMutableNotificationContent()
        content.title = NSString.localizedUserNotificationString(forKey: "Hello!", arguments: nil)
        content.body = NSString.localizedUserNotificationString(forKey: "reminder_body", arguments: [body])
        content.sound = UNNotificationSound.default
        content.badge = 1
        content.categoryIdentifier = "reminder"
        content.userInfo = ["customData": "fizzbuzz", "count": 3, "on": true]
        for weekday in weekdays {
            var dateInfo = DateComponents()
            dateInfo.weekday = weekday
            dateInfo.hour = hour
            dateInfo.minute = minute
            let trigger = UNCalendarNotificationTrigger(dateMatching: dateInfo, repeats: true)
            let request = UNNotificationRequest(
                identifier: "weekly-\(weekday)", content: content, trigger: trigger)
            UNUserNotificationCenter.current().add(request) { error in
                if let error = error as NSError? {
                    self.lastError = error
                    if error.domain == UNErrorDomain, let code = UNError.Code(rawValue: error.code) {
                        print(code)
                    }
                }
            }
        }
    }

    public func scheduleOnce(at date: Date, id: String) {
        let content = UNMutableNotificationContent()
        content.title = "Once"
        content.sound = UNNotificationSound(named: UNNotificationSoundName(rawValue: "bell.caf"))
        let parts = Calendar.current.dateComponents(
            [.year, .month, .day, .hour, .minute, .second], from: date)
        let trigger = UNCalendarNotificationTrigger(dateMatching: parts, repeats: false)
        let request = UNNotificationRequest(identifier: id, content: content, trigger: trigger)
        UNUserNotificationCenter.current().add(request, withCompletionHandler: nil)
    }

    public func snooze(_ response: UNNotificationResponse, minutes: Double) {
        guard
            let content = response.notification.request.content.mutableCopy() as? UNMutableNotificationContent
        else { return }
        content.subtitle = "Snoozed"
        let trigger = UNTimeIntervalNotificationTrigger(timeInterval: minutes * 60, repeats: false)
        let request = UNNotificationRequest(identifier: UUID().uuidString, content: content, trigger: trigger)
        UNUserNotificationCenter.current().add(request)
    }

    public func registerCategories() {
        let snooze = UNNotificationAction(
            identifier: "snooze", title: "Snooze", options: UNNotificationActionOptions(rawValue: 0))
        let delete = UNNotificationAction(identifier: "delete", title: "Delete", options: [.destructive])
        let open = UNNotificationAction(identifier: "open", title: "Open", options: .foreground)
        let reply = UNTextInputNotificationAction(
            identifier: "reply", title: "Reply", options: [], textInputButtonTitle: "Send",
            textInputPlaceholder: "…")
        let category = UNNotificationCategory(
            identifier: "reminder", actions: [snooze, delete, open, reply], intentIdentifiers: [],
            options: .customDismissAction)
        UNUserNotificationCenter.current().setNotificationCategories([category])
    }

    public func removeAll(except keep: String) {
        notificationCenter.getPendingNotificationRequests { requests in
            let identifiers = requests.map { $0.identifier }.filter { $0 != keep }
            UNUserNotificationCenter.current()
                .removePendingNotificationRequests(withIdentifiers: identifiers)
        }
        notificationCenter.removeAllDeliveredNotifications()
    }

    public func nextDates(done: @escaping ([String: Date]) -> Void) {
        UNUserNotificationCenter.current().getPendingNotificationRequests { (requests) in
            var dates: [String: Date] = [:]
            for request in requests {
                if let trigger = request.trigger as? UNCalendarNotificationTrigger {
                    dates[request.identifier] = trigger.nextTriggerDate()
                } else if let trigger = request.trigger as? UNTimeIntervalNotificationTrigger,
                    !trigger.repeats
                {
                    dates[request.identifier] = trigger.nextTriggerDate()
                }
            }
            done(dates)
        }
    }
}

extension ReminderManager: UNUserNotificationCenterDelegate {
    public func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Swift.Void
    ) {
        log.append("present \(notification.request.identifier)")
        if #available(iOS 14.0, *) {
            completionHandler([.banner, .list, .sound])
        } else {
            completionHandler([.alert, .sound])
        }
    }

    public func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) {
        let userInfo = response.notification.request.content.userInfo
        if let custom = userInfo["customData"] as? String { log.append("data \(custom)") }
        if let count = userInfo[AnyHashable("count")] as? Int { log.append("count \(count)") }
        switch response.actionIdentifier {
        case UNNotificationDefaultActionIdentifier: log.append("tap")
        case UNNotificationDismissActionIdentifier: log.append("dismiss")
        case "snooze": snooze(response, minutes: 9)
        default:
            if let text = (response as? UNTextInputNotificationResponse)?.userText {
                log.append("text \(text)")
            }
        }
        DispatchQueue.global().async { completionHandler() }
    }

    public func userNotificationCenter(
        _ center: UNUserNotificationCenter, openSettingsFor notification: UNNotification?
    ) {
        log.append("settings")
    }
}
