import Testing
// Not @testable: what an app can name.
import UserNotifications
import UserNotificationsUI

/// Every name of Apple's frameworks against its type here: the table compiles, or a name is missing or has another type.
@Suite struct SymbolTableTests {
    private typealias Center = UNUserNotificationCenter
    private typealias Content = UNNotificationContent
    private typealias Mutable = UNMutableNotificationContent
    private typealias Settings = UNNotificationSettings
    private typealias Done = (@Sendable ((any Error)?) -> Void)?

    private static func names(_ table: KeyValuePairs<String, Any>) -> Set<String> {
        #expect(Set(table.map(\.key)).count == table.count)
        return Set(table.map(\.key))
    }

    @Test func `the centre has its functions, each spelling by itself`() {
        let table: KeyValuePairs<String, Any> = [
            "current()": Center.current as () -> Center,
            "delegate": \Center.delegate
                as ReferenceWritableKeyPath<
                    Center, (any UNUserNotificationCenterDelegate)?
                >,
            "supportsContentExtensions": \Center.supportsContentExtensions as KeyPath<Center, Bool>,
            "requestAuthorization(options:completionHandler:)":
                Center.requestAuthorization(options:completionHandler:)
                as (Center) -> (UNAuthorizationOptions, @escaping @Sendable (Bool, (any Error)?) -> Void) ->
                Void,
            "requestAuthorization(options:) async": { (center: Center) async throws -> Bool in
                try await center.requestAuthorization(options: [])
            } as @Sendable (Center) async throws -> Bool,
            "setNotificationCategories(_:)": Center.setNotificationCategories(_:)
                as (Center) -> (Set<UNNotificationCategory>) -> Void,
            "getNotificationCategories(completionHandler:)":
                Center.getNotificationCategories(completionHandler:)
                as (Center) -> (@escaping @Sendable (Set<UNNotificationCategory>) -> Void) -> Void,
            "notificationCategories() async": { (center: Center) async -> Set<UNNotificationCategory> in
                await center.notificationCategories()
            } as @Sendable (Center) async -> Set<UNNotificationCategory>,
            "getNotificationSettings(completionHandler:)": Center.getNotificationSettings(completionHandler:)
                as (Center) -> (@escaping @Sendable (Settings) -> Void) -> Void,
            "notificationSettings() async": { (center: Center) async -> Settings in
                await center.notificationSettings()
            } as @Sendable (Center) async -> Settings,
            "add(_:withCompletionHandler:)": Center.add(_:withCompletionHandler:)
                as (Center) -> (UNNotificationRequest, Done) -> Void,
            "add(_:) async": { (center: Center, request: UNNotificationRequest) async throws -> Void in
                try await center.add(request)
            } as @Sendable (Center, UNNotificationRequest) async throws -> Void,
            "getPendingNotificationRequests(completionHandler:)":
                Center.getPendingNotificationRequests(completionHandler:)
                as (Center) -> (@escaping @Sendable ([UNNotificationRequest]) -> Void) -> Void,
            "pendingNotificationRequests() async": { (center: Center) async -> [UNNotificationRequest] in
                await center.pendingNotificationRequests()
            } as @Sendable (Center) async -> [UNNotificationRequest],
            "removePendingNotificationRequests(withIdentifiers:)":
                Center.removePendingNotificationRequests(withIdentifiers:) as (Center) -> ([String]) -> Void,
            "removeAllPendingNotificationRequests()": Center.removeAllPendingNotificationRequests
                as (Center) -> () -> Void,
            "getDeliveredNotifications(completionHandler:)":
                Center.getDeliveredNotifications(completionHandler:)
                as (Center) -> (@escaping @Sendable ([UNNotification]) -> Void) -> Void,
            "deliveredNotifications() async": { (center: Center) async -> [UNNotification] in
                await center.deliveredNotifications()
            } as @Sendable (Center) async -> [UNNotification],
            "removeDeliveredNotifications(withIdentifiers:)":
                Center.removeDeliveredNotifications(withIdentifiers:) as (Center) -> ([String]) -> Void,
            "removeAllDeliveredNotifications()": Center.removeAllDeliveredNotifications
                as (Center) -> () -> Void,
            "setBadgeCount(_:withCompletionHandler:)": Center.setBadgeCount(_:withCompletionHandler:)
                as (Center) -> (Int, Done) -> Void,
            "setBadgeCount(_:) async": { (center: Center) async throws -> Void in
                try await center.setBadgeCount(0)
            } as @Sendable (Center) async throws -> Void,
        ]
        #expect(Self.names(table).count == 22)
    }

    @Test func `contents have their properties, readable in one class and writable in the other`() {
        let table: KeyValuePairs<String, (any Any.Type, any Any.Type)> = [
            "title": (
                type(of: \Content.title as KeyPath<Content, String>),
                type(of: \Mutable.title as ReferenceWritableKeyPath<Mutable, String>)
            ),
            "subtitle": (
                type(of: \Content.subtitle as KeyPath<Content, String>),
                type(of: \Mutable.subtitle as ReferenceWritableKeyPath<Mutable, String>)
            ),
            "body": (
                type(of: \Content.body as KeyPath<Content, String>),
                type(of: \Mutable.body as ReferenceWritableKeyPath<Mutable, String>)
            ),
            "badge": (
                type(of: \Content.badge as KeyPath<Content, NSNumber?>),
                type(of: \Mutable.badge as ReferenceWritableKeyPath<Mutable, NSNumber?>)
            ),
            "sound": (
                type(of: \Content.sound as KeyPath<Content, UNNotificationSound?>),
                type(of: \Mutable.sound as ReferenceWritableKeyPath<Mutable, UNNotificationSound?>)
            ),
            "launchImageName": (
                type(of: \Content.launchImageName as KeyPath<Content, String>),
                type(of: \Mutable.launchImageName as ReferenceWritableKeyPath<Mutable, String>)
            ),
            "userInfo": (
                type(of: \Content.userInfo as KeyPath<Content, [AnyHashable: Any]>),
                type(of: \Mutable.userInfo as ReferenceWritableKeyPath<Mutable, [AnyHashable: Any]>)
            ),
            "attachments": (
                type(of: \Content.attachments as KeyPath<Content, [UNNotificationAttachment]>),
                type(
                    of: \Mutable.attachments as ReferenceWritableKeyPath<Mutable, [UNNotificationAttachment]>)
            ),
            "categoryIdentifier": (
                type(of: \Content.categoryIdentifier as KeyPath<Content, String>),
                type(of: \Mutable.categoryIdentifier as ReferenceWritableKeyPath<Mutable, String>)
            ),
            "threadIdentifier": (
                type(of: \Content.threadIdentifier as KeyPath<Content, String>),
                type(of: \Mutable.threadIdentifier as ReferenceWritableKeyPath<Mutable, String>)
            ),
            "targetContentIdentifier": (
                type(of: \Content.targetContentIdentifier as KeyPath<Content, String?>),
                type(of: \Mutable.targetContentIdentifier as ReferenceWritableKeyPath<Mutable, String?>)
            ),
            "summaryArgument": (
                type(of: \Content.summaryArgument as KeyPath<Content, String>),
                type(of: \Mutable.summaryArgument as ReferenceWritableKeyPath<Mutable, String>)
            ),
            "summaryArgumentCount": (
                type(of: \Content.summaryArgumentCount as KeyPath<Content, Int>),
                type(of: \Mutable.summaryArgumentCount as ReferenceWritableKeyPath<Mutable, Int>)
            ),
            "interruptionLevel": (
                type(of: \Content.interruptionLevel as KeyPath<Content, UNNotificationInterruptionLevel>),
                type(
                    of: \Mutable.interruptionLevel
                        as ReferenceWritableKeyPath<Mutable, UNNotificationInterruptionLevel>)
            ),
            "relevanceScore": (
                type(of: \Content.relevanceScore as KeyPath<Content, Double>),
                type(of: \Mutable.relevanceScore as ReferenceWritableKeyPath<Mutable, Double>)
            ),
            "filterCriteria": (
                type(of: \Content.filterCriteria as KeyPath<Content, String?>),
                type(of: \Mutable.filterCriteria as ReferenceWritableKeyPath<Mutable, String?>)
            ),
        ]
        #expect(table.count == 16)
        #expect(table.allSatisfy { "\($0.value.1)".contains("ReferenceWritable") })
        let updating =
            Content.updating(from:) as (Content) -> (any UNNotificationContentProviding) throws -> Content
        _ = updating
    }

    @Test func `settings and the other objects have their properties`() {
        let table: KeyValuePairs<String, Any> = [
            "authorizationStatus": \Settings.authorizationStatus as KeyPath<Settings, UNAuthorizationStatus>,
            "soundSetting": \Settings.soundSetting as KeyPath<Settings, UNNotificationSetting>,
            "badgeSetting": \Settings.badgeSetting as KeyPath<Settings, UNNotificationSetting>,
            "alertSetting": \Settings.alertSetting as KeyPath<Settings, UNNotificationSetting>,
            "notificationCenterSetting": \Settings.notificationCenterSetting
                as KeyPath<Settings, UNNotificationSetting>,
            "lockScreenSetting": \Settings.lockScreenSetting as KeyPath<Settings, UNNotificationSetting>,
            "carPlaySetting": \Settings.carPlaySetting as KeyPath<Settings, UNNotificationSetting>,
            "alertStyle": \Settings.alertStyle as KeyPath<Settings, UNAlertStyle>,
            "showPreviewsSetting": \Settings.showPreviewsSetting as KeyPath<Settings, UNShowPreviewsSetting>,
            "criticalAlertSetting": \Settings.criticalAlertSetting
                as KeyPath<Settings, UNNotificationSetting>,
            "providesAppNotificationSettings": \Settings.providesAppNotificationSettings
                as KeyPath<Settings, Bool>,
            "announcementSetting": \Settings.announcementSetting as KeyPath<Settings, UNNotificationSetting>,
            "timeSensitiveSetting": \Settings.timeSensitiveSetting
                as KeyPath<Settings, UNNotificationSetting>,
            "scheduledDeliverySetting": \Settings.scheduledDeliverySetting
                as KeyPath<Settings, UNNotificationSetting>,
            "directMessagesSetting": \Settings.directMessagesSetting
                as KeyPath<Settings, UNNotificationSetting>,

            "UNNotification.date": \UNNotification.date as KeyPath<UNNotification, Date>,
            "UNNotification.request": \UNNotification.request
                as KeyPath<UNNotification, UNNotificationRequest>,
            "UNNotificationRequest.identifier": \UNNotificationRequest.identifier
                as KeyPath<UNNotificationRequest, String>,
            "UNNotificationRequest.content": \UNNotificationRequest.content
                as KeyPath<UNNotificationRequest, UNNotificationContent>,
            "UNNotificationRequest.trigger": \UNNotificationRequest.trigger
                as KeyPath<UNNotificationRequest, UNNotificationTrigger?>,
            "UNNotificationResponse.notification": \UNNotificationResponse.notification
                as KeyPath<UNNotificationResponse, UNNotification>,
            "UNNotificationResponse.actionIdentifier": \UNNotificationResponse.actionIdentifier
                as KeyPath<UNNotificationResponse, String>,
            "UNNotificationResponse.targetScene": \UNNotificationResponse.targetScene
                as KeyPath<UNNotificationResponse, NSObject?>,
            "UNTextInputNotificationResponse.userText": \UNTextInputNotificationResponse.userText
                as KeyPath<UNTextInputNotificationResponse, String>,
            "UNNotificationAction.identifier": \UNNotificationAction.identifier
                as KeyPath<UNNotificationAction, String>,
            "UNNotificationAction.title": \UNNotificationAction.title
                as KeyPath<UNNotificationAction, String>,
            "UNNotificationAction.options": \UNNotificationAction.options
                as KeyPath<UNNotificationAction, UNNotificationActionOptions>,
            "UNNotificationAction.icon": \UNNotificationAction.icon
                as KeyPath<UNNotificationAction, UNNotificationActionIcon?>,
            "UNTextInputNotificationAction.textInputButtonTitle":
                \UNTextInputNotificationAction.textInputButtonTitle
                as KeyPath<UNTextInputNotificationAction, String>,
            "UNTextInputNotificationAction.textInputPlaceholder":
                \UNTextInputNotificationAction.textInputPlaceholder
                as KeyPath<UNTextInputNotificationAction, String>,
            "UNNotificationCategory.identifier": \UNNotificationCategory.identifier
                as KeyPath<UNNotificationCategory, String>,
            "UNNotificationCategory.actions": \UNNotificationCategory.actions
                as KeyPath<UNNotificationCategory, [UNNotificationAction]>,
            "UNNotificationCategory.intentIdentifiers": \UNNotificationCategory.intentIdentifiers
                as KeyPath<UNNotificationCategory, [String]>,
            "UNNotificationCategory.options": \UNNotificationCategory.options
                as KeyPath<UNNotificationCategory, UNNotificationCategoryOptions>,
            "UNNotificationCategory.hiddenPreviewsBodyPlaceholder":
                \UNNotificationCategory.hiddenPreviewsBodyPlaceholder
                as KeyPath<UNNotificationCategory, String>,
            "UNNotificationCategory.categorySummaryFormat": \UNNotificationCategory.categorySummaryFormat
                as KeyPath<UNNotificationCategory, String>,
            "UNNotificationAttachment.identifier": \UNNotificationAttachment.identifier
                as KeyPath<UNNotificationAttachment, String>,
            "UNNotificationAttachment.url": \UNNotificationAttachment.url
                as KeyPath<UNNotificationAttachment, URL>,
            "UNNotificationAttachment.type": \UNNotificationAttachment.type
                as KeyPath<UNNotificationAttachment, String>,
            "UNNotificationTrigger.repeats": \UNNotificationTrigger.repeats
                as KeyPath<UNNotificationTrigger, Bool>,
            "UNTimeIntervalNotificationTrigger.timeInterval": \UNTimeIntervalNotificationTrigger.timeInterval
                as KeyPath<UNTimeIntervalNotificationTrigger, TimeInterval>,
            "UNTimeIntervalNotificationTrigger.nextTriggerDate()":
                UNTimeIntervalNotificationTrigger.nextTriggerDate
                as (UNTimeIntervalNotificationTrigger) -> () -> Date?,
            "UNCalendarNotificationTrigger.dateComponents": \UNCalendarNotificationTrigger.dateComponents
                as KeyPath<UNCalendarNotificationTrigger, DateComponents>,
            "UNCalendarNotificationTrigger.nextTriggerDate()": UNCalendarNotificationTrigger.nextTriggerDate
                as (UNCalendarNotificationTrigger) -> () -> Date?,
            "UNLocationNotificationTrigger.region": \UNLocationNotificationTrigger.region
                as KeyPath<UNLocationNotificationTrigger, CLRegion>,
            "UNNotificationServiceExtension.didReceive(_:withContentHandler:)":
                UNNotificationServiceExtension.didReceive(_:withContentHandler:)
                as (UNNotificationServiceExtension) -> (
                    UNNotificationRequest, @escaping @Sendable (UNNotificationContent) -> Void
                ) -> Void,
            "UNNotificationServiceExtension.serviceExtensionTimeWillExpire()":
                UNNotificationServiceExtension.serviceExtensionTimeWillExpire
                as (UNNotificationServiceExtension) -> () -> Void,
        ]
        #expect(Self.names(table).count == 47)
    }

    @Test func `sounds, texts, errors and constants have their names`() {
        let table: KeyValuePairs<String, Any> = [
            "UNNotificationSound.default": UNNotificationSound.default,
            "defaultRingtone": UNNotificationSound.defaultRingtone,
            "defaultCritical": UNNotificationSound.defaultCritical,
            "init(named:)": UNNotificationSound.init(named:)
                as (UNNotificationSoundName) -> UNNotificationSound,
            "ringtoneSoundNamed(_:)": UNNotificationSound.ringtoneSoundNamed(_:)
                as (UNNotificationSoundName) -> UNNotificationSound,
            "defaultCriticalSound(withAudioVolume:)": UNNotificationSound.defaultCriticalSound(
                withAudioVolume:)
                as (Float) -> UNNotificationSound,
            "criticalSoundNamed(_:)": UNNotificationSound.criticalSoundNamed(_:)
                as (UNNotificationSoundName) -> UNNotificationSound,
            "criticalSoundNamed(_:withAudioVolume:)": UNNotificationSound.criticalSoundNamed(
                _:withAudioVolume:)
                as (UNNotificationSoundName, Float) -> UNNotificationSound,
            "localizedUserNotificationString": NSString.localizedUserNotificationString(forKey:arguments:)
                as (String, [Any]?) -> String,
            "UNNotificationRequest.init": UNNotificationRequest.init(identifier:content:trigger:)
                as (String, UNNotificationContent, UNNotificationTrigger?) -> UNNotificationRequest,
            "UNTimeIntervalNotificationTrigger.init":
                UNTimeIntervalNotificationTrigger.init(timeInterval:repeats:)
                as (TimeInterval, Bool) -> UNTimeIntervalNotificationTrigger,
            "UNCalendarNotificationTrigger.init": UNCalendarNotificationTrigger.init(dateMatching:repeats:)
                as (DateComponents, Bool) -> UNCalendarNotificationTrigger,
            "UNLocationNotificationTrigger.init": UNLocationNotificationTrigger.init(region:repeats:)
                as (CLRegion, Bool) -> UNLocationNotificationTrigger,
            "UNNotificationAttachment.init": UNNotificationAttachment.init(identifier:url:options:)
                as (String, URL, [AnyHashable: Any]?) throws -> UNNotificationAttachment,
            "UNNotificationActionIcon.template": UNNotificationActionIcon.init(templateImageName:)
                as (String) -> UNNotificationActionIcon,
            "UNNotificationActionIcon.system": UNNotificationActionIcon.init(systemImageName:)
                as (String) -> UNNotificationActionIcon,
            "UNNotificationAttributedMessageContext.init":
                UNNotificationAttributedMessageContext.init(sendMessageIntent:attributedContent:)
                as (NSObject, NSAttributedString) -> UNNotificationAttributedMessageContext,
        ]
        #expect(Self.names(table).count == 17)
        let texts = [
            UNErrorDomain, UNNotificationDefaultActionIdentifier, UNNotificationDismissActionIdentifier,
            UNNotificationAttachmentOptionsTypeHintKey, UNNotificationAttachmentOptionsThumbnailHiddenKey,
            UNNotificationAttachmentOptionsThumbnailClippingRectKey,
            UNNotificationAttachmentOptionsThumbnailTimeKey,
        ]
        #expect(
            texts == [
                "UNErrorDomain", "com.apple.UNNotificationDefaultActionIdentifier",
                "com.apple.UNNotificationDismissActionIdentifier",
                "UNNotificationAttachmentOptionsTypeHintKey",
                "UNNotificationAttachmentOptionsThumbnailHiddenKey",
                "UNNotificationAttachmentOptionsThumbnailClippingRectKey",
                "UNNotificationAttachmentOptionsThumbnailTimeKey",
            ])
        let error = UNError(.attachmentCorrupt, userInfo: [NSLocalizedDescriptionKey: "why", "n": 1])
        #expect(error.localizedDescription == "why" && error.userInfo["n"] as? Int == 1)
        #expect(
            UNError.errorDomain == UNErrorDomain && error.errorCode == 105 && error.code == .attachmentCorrupt
        )
        #expect(UNError(.badgeInputInvalid).localizedDescription == "a badge is 0 or more")
    }

    @Test func `every class is one of Foundation's objects, copied and archived as Apple's are`() {
        let copied: [any (NSObject & NSCopying & NSSecureCoding).Type] = [
            UNNotification.self, UNNotificationAction.self, UNTextInputNotificationAction.self,
            UNNotificationActionIcon.self, UNNotificationAttachment.self, UNNotificationCategory.self,
            UNNotificationContent.self, UNMutableNotificationContent.self, UNNotificationRequest.self,
            UNNotificationResponse.self, UNTextInputNotificationResponse.self, UNNotificationSettings.self,
            UNNotificationSound.self, UNNotificationTrigger.self, UNPushNotificationTrigger.self,
            UNTimeIntervalNotificationTrigger.self, UNCalendarNotificationTrigger.self,
            UNLocationNotificationTrigger.self,
        ]
        #expect(copied.allSatisfy { $0.supportsSecureCoding })
        let others: [NSObject.Type] = [
            UNUserNotificationCenter.self, UNNotificationServiceExtension.self,
            UNNotificationAttributedMessageContext.self,
        ]
        #expect(copied.count + others.count == 21)
        let content: any NSMutableCopying.Type = UNNotificationContent.self
        _ = content
    }

    @MainActor @Test func `a content extension and its context have their names`() {
        typealias Context = NSExtensionContext
        let table: KeyValuePairs<String, Any> = [
            "notificationActions": \Context.notificationActions
                as ReferenceWritableKeyPath<Context, [UNNotificationAction]>,
            "mediaPlayingStarted()": Context.mediaPlayingStarted
                as @MainActor (Context) -> @MainActor () -> Void,
            "mediaPlayingPaused()": Context.mediaPlayingPaused
                as @MainActor (Context) -> @MainActor () -> Void,
            "performNotificationDefaultAction()": Context.performNotificationDefaultAction
                as @MainActor (Context) -> @MainActor () -> Void,
            "dismissNotificationContentExtension()": Context.dismissNotificationContentExtension
                as @MainActor (Context) -> @MainActor () -> Void,
        ]
        #expect(Self.names(table).count == 5)
    }

    /// An extension with every property and function, each with the type that Apple's header has.
    @MainActor private final class FullExtension: NSObject, UNNotificationContentExtension {
        func didReceive(_ notification: UNNotification) {}
        func didReceive(
            _ response: UNNotificationResponse,
            completionHandler completion: @escaping (UNNotificationContentExtensionResponseOption) -> Void
        ) { completion(.doNotDismiss) }
        var mediaPlayPauseButtonType: UNNotificationContentExtensionMediaPlayPauseButtonType { .overlay }
        var mediaPlayPauseButtonFrame: CGRect { CGRect(x: 1, y: 2, width: 3, height: 4) }
        var mediaPlayPauseButtonTintColor: UIColor { .red }
        func mediaPlay() {}
        func mediaPause() {}
    }

    @MainActor @Test func `a content extension's own properties are those that are asked for`() {
        let view: any UNNotificationContentExtension = FullExtension()
        #expect(view.mediaPlayPauseButtonType == .overlay && view.mediaPlayPauseButtonFrame.maxY == 6)
        #expect(view.mediaPlayPauseButtonTintColor == .red)
    }
}
