/// What the user allows: the value behind a settings object, with raw values of Apple's enumerations.
package struct SettingsRecord: Hashable, Sendable, Codable {
    /// `UNAuthorizationStatus`.
    package var authorizationStatus = 0
    // `UNNotificationSetting`, each: 0 not supported, 1 off, 2 on.
    package var sound = 0
    package var badge = 0
    package var alert = 0
    package var notificationCenter = 0
    package var lockScreen = 0
    package var carPlay = 0
    package var criticalAlert = 0
    package var announcement = 0
    package var timeSensitive = 0
    package var scheduledDelivery = 0
    package var directMessages = 0
    /// `UNAlertStyle`.
    package var alertStyle = 0
    /// `UNShowPreviewsSetting`.
    package var showPreviews = 0
    package var providesAppNotificationSettings = false

    package init() {}

    package static let notSupported = 0
    package static let disabled = 1
    package static let enabled = 2
}
