/// What the user allows an app.
///
/// Sendable: the record never changes.
open class UNNotificationSettings: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    package let record: SettingsRecord

    package init(record: SettingsRecord) {
        self.record = record
        super.init()
    }

    /// Whether the app may notify.
    open var authorizationStatus: UNAuthorizationStatus {
        UNAuthorizationStatus(rawValue: record.authorizationStatus) ?? .notDetermined
    }

    /// Whether sounds are played.
    open var soundSetting: UNNotificationSetting { setting(record.sound) }

    /// Whether the icon has a badge.
    open var badgeSetting: UNNotificationSetting { setting(record.badge) }

    /// Whether alerts are shown.
    open var alertSetting: UNNotificationSetting { setting(record.alert) }

    /// Whether notifications go into the list.
    open var notificationCenterSetting: UNNotificationSetting { setting(record.notificationCenter) }

    /// Whether notifications are on the lock screen.
    open var lockScreenSetting: UNNotificationSetting { setting(record.lockScreen) }

    /// Whether notifications are shown in a car.
    open var carPlaySetting: UNNotificationSetting { setting(record.carPlay) }

    /// Whether critical alerts are on.
    open var criticalAlertSetting: UNNotificationSetting { setting(record.criticalAlert) }

    /// Whether notifications are read aloud.
    open var announcementSetting: UNNotificationSetting { setting(record.announcement) }

    /// Whether time-sensitive notifications break through Focus.
    open var timeSensitiveSetting: UNNotificationSetting { setting(record.timeSensitive) }

    /// Whether notifications are collected into a summary.
    open var scheduledDeliverySetting: UNNotificationSetting { setting(record.scheduledDelivery) }

    /// Whether messages from people break through.
    open var directMessagesSetting: UNNotificationSetting { setting(record.directMessages) }

    /// How alerts appear on an unlocked device.
    open var alertStyle: UNAlertStyle { UNAlertStyle(rawValue: record.alertStyle) ?? .none }

    /// When texts are shown.
    open var showPreviewsSetting: UNShowPreviewsSetting {
        UNShowPreviewsSetting(rawValue: record.showPreviews) ?? .always
    }

    /// Whether Settings has a link to the app's own settings.
    open var providesAppNotificationSettings: Bool { record.providesAppNotificationSettings }

    private func setting(_ value: Int) -> UNNotificationSetting {
        UNNotificationSetting(rawValue: value) ?? .notSupported
    }

    /// Whether another object says the same.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? UNNotificationSettings)?.record == record
    }

    /// A number that equal objects share.
    open override var hash: Int { record.hashValue }

    /// The object itself, which never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Archiving is secure.
    open class var supportsSecureCoding: Bool { true }

    /// Writes the object into an archive.
    open func encode(with coder: NSCoder) { RecordCoding.encode(record, with: coder) }

    /// Reads an object of an archive; nil when it holds none.
    public required init?(coder: NSCoder) {
        if RecordCoding.isArchive(coder) {
            guard let record = RecordCoding.decode(SettingsRecord.self, with: coder) else { return nil }
            self.record = record
        } else {
            record = SettingsRecord(answering: coder)
        }
        super.init()
    }
}

extension SettingsRecord {
    /// Reads the keys of Apple's class from a coder that a test made.
    fileprivate init(answering coder: NSCoder) {
        func value(_ key: String) -> Int { Int(coder.decodeInt64(forKey: key)) }
        self.init()
        authorizationStatus = value("authorizationStatus")
        sound = value("soundSetting")
        badge = value("badgeSetting")
        alert = value("alertSetting")
        notificationCenter = value("notificationCenterSetting")
        lockScreen = value("lockScreenSetting")
        carPlay = value("carPlaySetting")
        criticalAlert = value("criticalAlertSetting")
        announcement = value("announcementSetting")
        timeSensitive = value("timeSensitiveSetting")
        scheduledDelivery = value("scheduledDeliverySetting")
        directMessages = value("directMessagesSetting")
        alertStyle = value("alertStyle")
        showPreviews = value("showPreviewsSetting")
        providesAppNotificationSettings = coder.decodeBool(forKey: "providesAppNotificationSettings")
    }
}
