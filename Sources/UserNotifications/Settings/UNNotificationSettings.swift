/// What the user allows an app.
///
/// Sendable: the record never changes.
public class UNNotificationSettings: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    package let record: SettingsRecord

    package init(record: SettingsRecord) {
        self.record = record
        super.init()
    }

    /// Whether the app may notify.
    public var authorizationStatus: UNAuthorizationStatus {
        UNAuthorizationStatus(rawValue: record.authorizationStatus) ?? .notDetermined
    }

    /// Whether sounds are played.
    public var soundSetting: UNNotificationSetting { setting(record.sound) }

    /// Whether the icon has a badge.
    public var badgeSetting: UNNotificationSetting { setting(record.badge) }

    /// Whether alerts are shown.
    public var alertSetting: UNNotificationSetting { setting(record.alert) }

    /// Whether notifications go into the list.
    public var notificationCenterSetting: UNNotificationSetting { setting(record.notificationCenter) }

    /// Whether notifications are on the lock screen.
    public var lockScreenSetting: UNNotificationSetting { setting(record.lockScreen) }

    /// Whether notifications are shown in a car.
    public var carPlaySetting: UNNotificationSetting { setting(record.carPlay) }

    /// Whether critical alerts are on.
    public var criticalAlertSetting: UNNotificationSetting { setting(record.criticalAlert) }

    /// Whether notifications are read aloud.
    public var announcementSetting: UNNotificationSetting { setting(record.announcement) }

    /// Whether time-sensitive notifications break through Focus.
    public var timeSensitiveSetting: UNNotificationSetting { setting(record.timeSensitive) }

    /// Whether notifications are collected into a summary.
    public var scheduledDeliverySetting: UNNotificationSetting { setting(record.scheduledDelivery) }

    /// Whether messages from people break through.
    public var directMessagesSetting: UNNotificationSetting { setting(record.directMessages) }

    /// How alerts appear on an unlocked device.
    public var alertStyle: UNAlertStyle { UNAlertStyle(rawValue: record.alertStyle) ?? .none }

    /// When texts are shown.
    public var showPreviewsSetting: UNShowPreviewsSetting {
        UNShowPreviewsSetting(rawValue: record.showPreviews) ?? .always
    }

    /// Whether Settings has a link to the app's own settings.
    public var providesAppNotificationSettings: Bool { record.providesAppNotificationSettings }

    private func setting(_ value: Int) -> UNNotificationSetting {
        UNNotificationSetting(rawValue: value) ?? .notSupported
    }

    /// Whether another object says the same.
    public override func isEqual(_ object: Any?) -> Bool {
        (object as? UNNotificationSettings)?.record == record
    }

    /// A number that equal objects share.
    public override var hash: Int { record.hashValue }

    /// The object itself, which never changes.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    /// Archiving is secure.
    public class var supportsSecureCoding: Bool { true }

    /// Writes the object into an archive.
    public func encode(with coder: NSCoder) { RecordCoding.encode(record, with: coder) }

    /// Reads an object of an archive; nil when it holds none.
    public required init?(coder: NSCoder) {
        guard let record = RecordCoding.decode(SettingsRecord.self, with: coder) else { return nil }
        self.record = record
        super.init()
    }
}
