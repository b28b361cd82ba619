import Testing
// Not @testable: this file sees what an app sees.
import UserNotifications

/// Every name of the framework once, the way app code writes it; most of the test is that it compiles.
@Suite struct PublicShapeTests {
    @Test func `contents have every property, with Apple's defaults`() throws {
        let content = UNMutableNotificationContent()
        #expect(content.title == "" && content.subtitle == "" && content.body == "")
        #expect(content.badge == nil)
        #expect(content.sound == nil)
        #expect(content.userInfo.isEmpty)
        #expect(content.attachments == [])
        #expect(content.interruptionLevel == .active)
        #expect(content.relevanceScore == 0)
        #expect(content.filterCriteria == nil && content.targetContentIdentifier == nil)

        content.title = "title"
        content.subtitle = "subtitle"
        content.body = "body"
        content.badge = 3
        content.sound = UNNotificationSound.default
        content.launchImageName = "launch"
        content.userInfo = ["id": 7, "flag": true, "list": ["a", 1.5], "nested": ["when": Date.distantPast]]
        content.categoryIdentifier = "category"
        content.threadIdentifier = "thread"
        content.targetContentIdentifier = "target"
        content.summaryArgument = "Ann"
        content.summaryArgumentCount = 2
        content.interruptionLevel = .timeSensitive
        content.relevanceScore = 0.5
        content.filterCriteria = "work"

        let copy = try #require(content.copy() as? UNNotificationContent)
        content.title = "other"
        #expect(copy.title == "title")
        #expect(copy.subtitle == "subtitle" && copy.body == "body")
        #expect(copy.badge == 3)
        #expect(copy.sound == .default)
        #expect(copy.launchImageName == "launch")
        #expect(copy.userInfo["id"] as? Int == 7)
        #expect(copy.userInfo["flag"] as? Bool == true)
        #expect((copy.userInfo["list"] as? [Any])?.count == 2)
        #expect((copy.userInfo["nested"] as? [String: Any])?["when"] as? Date == .distantPast)
        #expect(copy.categoryIdentifier == "category" && copy.threadIdentifier == "thread")
        #expect(copy.targetContentIdentifier == "target")
        #expect(copy.summaryArgument == "Ann" && copy.summaryArgumentCount == 2)
        #expect(copy.interruptionLevel == .timeSensitive && copy.relevanceScore == 0.5)
        #expect(copy.filterCriteria == "work")
        let mutable = try #require(copy.mutableCopy() as? UNMutableNotificationContent)
        mutable.title = "third"
        #expect(copy.title == "title")
        #expect(mutable != copy)
    }

    @Test func `a content takes a message's styled text and nothing unknown`() throws {
        final class Stranger: NSObject, UNNotificationContentProviding {}
        let content = UNMutableNotificationContent()
        let context = UNNotificationAttributedMessageContext(
            sendMessageIntent: NSObject(), attributedContent: NSAttributedString(string: "styled"))
        #expect(try content.updating(from: context).body == "styled")
        #expect(throws: UNError(.contentProvidingObjectNotAllowed)) { try content.updating(from: Stranger()) }
    }

    @Test func `sounds are made in every way`() {
        let sounds: [UNNotificationSound] = [
            .default, .defaultRingtone, .defaultCritical,
            UNNotificationSound(named: UNNotificationSoundName("a.caf")),
            UNNotificationSound(named: UNNotificationSoundName(rawValue: "b.caf")),
            .ringtoneSoundNamed(UNNotificationSoundName("c.caf")),
            .defaultCriticalSound(withAudioVolume: 0.5),
            .criticalSoundNamed(UNNotificationSoundName("d.caf")),
            .criticalSoundNamed(UNNotificationSoundName("d.caf"), withAudioVolume: 1),
        ]
        #expect(Set(sounds).count == sounds.count)
    }

    @Test func `actions and categories are made in every way`() {
        let icon = UNNotificationActionIcon(systemImageName: "bell")
        let actions: [UNNotificationAction] = [
            UNNotificationAction(identifier: "a", title: "A"),
            UNNotificationAction(identifier: "b", title: "B", options: [.foreground, .destructive]),
            UNNotificationAction(
                identifier: "c", title: "C", options: [],
                icon: UNNotificationActionIcon(templateImageName: "i")),
            UNTextInputNotificationAction(
                identifier: "d", title: "D", options: [.authenticationRequired], textInputButtonTitle: "Send",
                textInputPlaceholder: "Text"),
            UNTextInputNotificationAction(
                identifier: "e", title: "E", options: [], icon: icon, textInputButtonTitle: "Send",
                textInputPlaceholder: "Text"),
        ]
        let category = UNNotificationCategory(
            identifier: "x", actions: actions, intentIdentifiers: ["i"],
            hiddenPreviewsBodyPlaceholder: "hidden", categorySummaryFormat: "%u more",
            options: .customDismissAction)
        #expect(category.identifier == "x" && category.intentIdentifiers == ["i"])
        #expect(category.actions == actions)
        #expect(
            category.actions[1].options == [.foreground, .destructive] && category.actions[1].title == "B")
        #expect((category.actions[3] as? UNTextInputNotificationAction)?.textInputButtonTitle == "Send")
        #expect((category.actions[4] as? UNTextInputNotificationAction)?.textInputPlaceholder == "Text")
        #expect(category.actions[4].icon == icon && category.actions[0].icon == nil)
        #expect(
            category.hiddenPreviewsBodyPlaceholder == "hidden" && category.categorySummaryFormat == "%u more")
        #expect(category.options == .customDismissAction)
        let plain = UNNotificationCategory(identifier: "y", actions: [], intentIdentifiers: [])
        let hidden = UNNotificationCategory(
            identifier: "z", actions: [], intentIdentifiers: [], hiddenPreviewsBodyPlaceholder: "h",
            options: [])
        #expect(Set([category, plain, hidden]).count == 3)
    }

    @Test func `triggers are subclasses and say what they were made of`() {
        let interval = UNTimeIntervalNotificationTrigger(timeInterval: 90, repeats: true)
        #expect(interval.timeInterval == 90 && interval.repeats)
        #expect(interval.nextTriggerDate() != nil)
        var parts = DateComponents()
        parts.hour = 9
        parts.timeZone = TimeZone(identifier: "Asia/Tokyo")
        let calendar = UNCalendarNotificationTrigger(dateMatching: parts, repeats: false)
        #expect(calendar.dateComponents.hour == 9 && calendar.dateComponents.minute == nil)
        #expect(calendar.dateComponents.timeZone?.identifier == "Asia/Tokyo")
        #expect(calendar.nextTriggerDate() != nil)
        let region = CLCircularRegion(
            center: CLLocationCoordinate2D(latitude: 48.2, longitude: 16.4), radius: 100, identifier: "home")
        region.notifyOnExit = false
        let location = UNLocationNotificationTrigger(region: region, repeats: true)
        #expect(location.region.identifier == "home" && !location.region.notifyOnExit)
        #expect((location.region as? CLCircularRegion)?.radius == 100)
        let all: [UNNotificationTrigger] = [interval, calendar, location]
        #expect(all.map { $0 is UNPushNotificationTrigger } == [false, false, false])
        let request = UNNotificationRequest(
            identifier: "r", content: UNMutableNotificationContent(), trigger: interval)
        #expect(request.identifier == "r" && request.trigger is UNTimeIntervalNotificationTrigger)
        #expect(request.trigger == interval)
    }

    @Test func `objects survive an archive`() throws {
        let content = UNMutableNotificationContent()
        content.title = "archived"
        content.userInfo = ["n": 1, "b": true]
        let request = UNNotificationRequest(
            identifier: "r", content: content,
            trigger: UNTimeIntervalNotificationTrigger(timeInterval: 60, repeats: true))
        let data = try NSKeyedArchiver.archivedData(withRootObject: request, requiringSecureCoding: true)
        let read = try #require(
            try NSKeyedUnarchiver.unarchivedObject(ofClass: UNNotificationRequest.self, from: data))
        #expect(read == request)
        #expect(read.content.title == "archived")
        #expect(read.content.userInfo["b"] as? Bool == true)
    }

    @Test func `the centre has every function in both spellings`() {
        // Never called: the closure has to compile.
        let uses: @Sendable () async throws -> Void = {
            let center = UNUserNotificationCenter.current()
            _ = center.supportsContentExtensions
            _ = center.delegate
            center.requestAuthorization(options: [.alert]) { granted, error in _ = (granted, error) }
            _ = try await center.requestAuthorization(options: [.alert, .sound])
            try await center.requestAuthorization()
            center.setNotificationCategories([])
            center.getNotificationCategories { (categories: Set<UNNotificationCategory>) in _ = categories }
            _ = await center.notificationCategories()
            center.getNotificationSettings { settings in
                let all: [UNNotificationSetting] = [
                    settings.soundSetting, settings.badgeSetting, settings.alertSetting,
                    settings.notificationCenterSetting, settings.lockScreenSetting, settings.carPlaySetting,
                    settings.criticalAlertSetting, settings.announcementSetting,
                    settings.timeSensitiveSetting,
                    settings.scheduledDeliverySetting, settings.directMessagesSetting,
                ]
                _ = (all, settings.alertStyle, settings.showPreviewsSetting, settings.authorizationStatus)
                _ = settings.providesAppNotificationSettings
            }
            _ = await center.notificationSettings().authorizationStatus
            let request = UNNotificationRequest(
                identifier: UUID().uuidString, content: UNNotificationContent(), trigger: nil)
            center.add(request) { (error: (any Error)?) in _ = error }
            center.add(request, withCompletionHandler: nil)
            try await center.add(request)
            center.getPendingNotificationRequests { _ = $0.count }
            _ = await center.pendingNotificationRequests()
            center.removePendingNotificationRequests(withIdentifiers: ["a"])
            center.removeAllPendingNotificationRequests()
            center.getDeliveredNotifications { _ = $0.first?.date }
            _ = await center.deliveredNotifications().first?.request
            center.removeDeliveredNotifications(withIdentifiers: ["a"])
            center.removeAllDeliveredNotifications()
            center.setBadgeCount(0) { _ in }
            try await center.setBadgeCount(1)
        }
        _ = uses
        func synchronous(_ center: UNUserNotificationCenter, _ request: UNNotificationRequest) {
            center.add(request)
            center.setBadgeCount(3)
        }
        _ = synchronous
    }

    @Test func `objects that never change may cross threads`() {
        func needsSendable<Value: Sendable>(_: Value.Type) {}
        needsSendable(UNUserNotificationCenter.self)
        needsSendable(UNNotificationSettings.self)
        needsSendable(UNNotificationCategory.self)
        needsSendable(UNNotificationAction.self)
        needsSendable(UNNotificationSound.self)
        needsSendable(UNNotificationRequest.self)
        needsSendable(UNNotification.self)
        needsSendable(UNNotificationResponse.self)
    }
}
