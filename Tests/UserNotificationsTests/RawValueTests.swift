import Testing
import UserNotifications

@Suite struct RawValueTests {
    @Test func `enumerations have Apple's raw values`() {
        #expect(
            [UNAuthorizationStatus.notDetermined, .denied, .authorized, .provisional, .ephemeral].map(
                \.rawValue)
                == [0, 1, 2, 3, 4])
        #expect([UNNotificationSetting.notSupported, .disabled, .enabled].map(\.rawValue) == [0, 1, 2])
        #expect([UNAlertStyle.none, .banner, .alert].map(\.rawValue) == [0, 1, 2])
        #expect([UNShowPreviewsSetting.always, .whenAuthenticated, .never].map(\.rawValue) == [0, 1, 2])
        #expect(
            [UNNotificationInterruptionLevel.passive, .active, .timeSensitive, .critical].map(\.rawValue)
                == [0, 1, 2, 3])
    }

    @Test func `option sets have Apple's bits`() {
        let authorization: [UNAuthorizationOptions] = [
            .badge, .sound, .alert, .carPlay, .criticalAlert, .providesAppNotificationSettings, .provisional,
            .announcement, .timeSensitive,
        ]
        #expect(authorization.map(\.rawValue) == [1, 2, 4, 8, 16, 32, 64, 128, 256])
        let presentation: [UNNotificationPresentationOptions] = [.badge, .sound, .alert, .list, .banner]
        #expect(presentation.map(\.rawValue) == [1, 2, 4, 8, 16])
        let action: [UNNotificationActionOptions] = [.authenticationRequired, .destructive, .foreground]
        #expect(action.map(\.rawValue) == [1, 2, 4])
        let category: [UNNotificationCategoryOptions] = [
            .customDismissAction, .allowInCarPlay, .hiddenPreviewsShowTitle, .hiddenPreviewsShowSubtitle,
            .allowAnnouncement,
        ]
        #expect(category.map(\.rawValue) == [1, 2, 4, 8, 16])
    }

    @Test func `errors have Apple's domain and codes`() {
        let codes: [UNError.Code] = [
            .notificationsNotAllowed, .attachmentInvalidURL, .attachmentUnrecognizedType,
            .attachmentInvalidFileSize, .attachmentNotInDataStore, .attachmentMoveIntoDataStoreFailed,
            .attachmentCorrupt, .notificationInvalidNoDate, .notificationInvalidNoContent,
            .contentProvidingObjectNotAllowed, .contentProvidingInvalid, .badgeInputInvalid,
        ]
        #expect(codes.map(\.rawValue) == [1, 100, 101, 102, 103, 104, 105, 1400, 1401, 1500, 1501, 1600])
        for code in codes {
            let bridged = UNError(code) as NSError
            #expect(bridged.domain == "UNErrorDomain")
            #expect(bridged.code == code.rawValue)
            do {
                throw UNError(code)
            } catch UNError.attachmentCorrupt {
                #expect(code == .attachmentCorrupt)
            } catch {
                #expect(code != .attachmentCorrupt)
            }
        }
        #expect(UNError.errorDomain == UNErrorDomain)
    }

    @Test func `action identifiers are Apple's texts`() {
        #expect(UNNotificationDefaultActionIdentifier == "com.apple.UNNotificationDefaultActionIdentifier")
        #expect(UNNotificationDismissActionIdentifier == "com.apple.UNNotificationDismissActionIdentifier")
    }
}
