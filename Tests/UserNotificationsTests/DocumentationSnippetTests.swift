import Testing
// Not @testable: code as an app has it.
import UserNotifications

/// The code that Apple's pages lead a developer to, each piece as an app would have it, on a virtual device.
@Suite(.timeLimit(.minutes(5))) struct DocumentationSnippetTests {
    @Test func `ask, look at the settings, and schedule a weekly reminder`() async throws {
        let device = try Device("2026-06-01T10:00")
        await UNUserNotificationCenter.withCurrent(device.center) {
            let center = UNUserNotificationCenter.current()
            do {
                try await center.requestAuthorization(options: [.alert, .sound, .badge])
            } catch {
                Issue.record("asking failed: \(error)")
            }
            let settings = await center.notificationSettings()
            guard settings.authorizationStatus == .authorized || settings.authorizationStatus == .provisional
            else {
                Issue.record("not authorized")
                return
            }
            #expect(settings.alertSetting == .enabled)

            let content = UNMutableNotificationContent()
            content.title = "Weekly Staff Meeting"
            content.body = "Every Tuesday at 2pm"
            var dateComponents = DateComponents()
            dateComponents.calendar = Calendar(identifier: .gregorian)
            dateComponents.weekday = 3
            dateComponents.hour = 14
            let trigger = UNCalendarNotificationTrigger(dateMatching: dateComponents, repeats: true)
            let uuidString = UUID().uuidString
            let request = UNNotificationRequest(identifier: uuidString, content: content, trigger: trigger)
            let notificationCenter = UNUserNotificationCenter.current()
            do {
                try await notificationCenter.add(request)
            } catch {
                Issue.record("adding failed: \(error)")
            }
            await device.advance(days: 9)
            #expect(device.shownTimes == ["2026-06-02T14:00:00", "2026-06-09T14:00:00"])
            notificationCenter.removePendingNotificationRequests(withIdentifiers: [uuidString])
            #expect(await notificationCenter.pendingNotificationRequests().isEmpty)
        }
    }

    @Test func `categories with actions, and a delegate that handles them`() async throws {
        let device = try await Device.allowed()
        let acceptAction = UNNotificationAction(identifier: "ACCEPT_ACTION", title: "Accept", options: [])
        let declineAction = UNNotificationAction(identifier: "DECLINE_ACTION", title: "Decline", options: [])
        let meetingInviteCategory = UNNotificationCategory(
            identifier: "MEETING_INVITATION", actions: [acceptAction, declineAction], intentIdentifiers: [],
            hiddenPreviewsBodyPlaceholder: "", options: .customDismissAction)
        let notificationCenter = device.center
        notificationCenter.setNotificationCategories([meetingInviteCategory])

        let meetings = MeetingHandler()
        notificationCenter.delegate = meetings
        for (identifier, action) in [("m1", "ACCEPT_ACTION"), ("m2", "DECLINE_ACTION")] {
            let content = UNMutableNotificationContent()
            content.title = "Weekly Staff Meeting"
            content.userInfo = ["MEETING_ID": identifier, "USER_ID": "u"]
            content.categoryIdentifier = "MEETING_INVITATION"
            try await notificationCenter.add(
                UNNotificationRequest(identifier: identifier, content: content, trigger: nil))
            device.host.link?.act(identifier, action: action)
        }
        try await notificationCenter.add(
            UNNotificationRequest(identifier: "m3", content: content("other"), trigger: nil))
        device.host.link?.tap("m3")
        await device.settle()
        #expect(await meetings.accepted == ["m1"])
        #expect(await meetings.declined == ["m2"])
        #expect(await meetings.opened == ["m3"])
    }
}

/// An app's delegate with completion handlers, as most apps have it.
@MainActor
private final class MeetingHandler: NSObject, @preconcurrency UNUserNotificationCenterDelegate {
    var accepted: [String] = []
    var declined: [String] = []
    var opened: [String] = []

    override nonisolated init() { super.init() }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) {
        let userInfo = response.notification.request.content.userInfo
        let meetingID = userInfo["MEETING_ID"] as? String ?? ""
        switch response.actionIdentifier {
        case "ACCEPT_ACTION": accepted.append(meetingID)
        case "DECLINE_ACTION": declined.append(meetingID)
        case UNNotificationDefaultActionIdentifier, UNNotificationDismissActionIdentifier:
            opened.append(response.notification.request.identifier)
        default: break
        }
        completionHandler()
    }
}
