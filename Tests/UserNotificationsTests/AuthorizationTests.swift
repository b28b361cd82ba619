import Recurrence
import Testing

@testable import UserNotifications

@Suite(.timeLimit(.minutes(5))) struct AuthorizationTests {
    @Test func `a fresh app has asked for nothing`() async throws {
        let settings = try await Device().center.notificationSettings()
        #expect(settings.authorizationStatus == .notDetermined)
        #expect(
            [
                settings.alertSetting, settings.soundSetting, settings.badgeSetting,
                settings.lockScreenSetting,
                settings.notificationCenterSetting,
            ].allSatisfy { $0 == .notSupported })
        #expect(settings.alertStyle == .none)
    }

    @Test func `the user is asked once and the answer stays`() async throws {
        for isGranted in [true, false] {
            let device = try Device()
            device.host.isPermissionGranted = isGranted
            #expect(
                try await device.center.requestAuthorization(options: [.alert, .sound, .badge]) == isGranted)
            device.host.isPermissionGranted = !isGranted
            #expect(try await device.center.requestAuthorization(options: [.alert]) == isGranted)
            #expect(device.host.questionCount == 1)
            let settings = await device.center.notificationSettings()
            #expect(settings.authorizationStatus == (isGranted ? .authorized : .denied))
            #expect(settings.alertSetting == (isGranted ? .enabled : .disabled))
            #expect(
                settings.soundSetting == settings.alertSetting
                    && settings.badgeSetting == settings.alertSetting)
            #expect(settings.alertStyle == (isGranted ? .banner : .none))
            #expect(settings.carPlaySetting == .notSupported)
        }
    }

    @Test func `asking while the question is on the screen waits for the same answer`() async throws {
        let device = try Device()
        async let first = device.center.requestAuthorization(options: [.alert])
        async let second = device.center.requestAuthorization(options: [.alert])
        #expect(try await [first, second] == [true, true])
        #expect(device.host.questionCount == 1)
    }

    @Test func `provisional permission needs no question and is quiet`() async throws {
        let device = try Device()
        #expect(try await device.center.requestAuthorization(options: [.alert, .sound, .provisional]))
        #expect(device.host.questionCount == 0)
        #expect(await device.center.notificationSettings().authorizationStatus == .provisional)
        try await device.center.add(request("a", nil))
        await device.settle()
        let presentation = try #require(device.host.shown.first?.presentation)
        #expect(presentation.isListed && presentation.asksToKeep)
        #expect(!presentation.showsBanner && !presentation.playsSound && !presentation.showsOnLockScreen)

        device.center.service.change { $0.answerProvisional(keeps: true) }
        let kept = await device.center.notificationSettings()
        #expect(kept.authorizationStatus == .authorized)
        #expect(
            kept.alertSetting == .disabled && kept.soundSetting == .disabled && kept.badgeSetting == .disabled
        )
    }

    @Test func `turning quiet notifications off denies`() async throws {
        let device = try Device()
        try await device.center.requestAuthorization(options: [.alert, .provisional])
        device.center.service.change { $0.answerProvisional(keeps: false) }
        #expect(await device.center.notificationSettings().authorizationStatus == .denied)
        #expect(try await device.center.requestAuthorization(options: [.alert]) == false)
    }

    @Test func `an App Clip's permission ends`() async throws {
        let device = try Device()
        let end = device.host.now.advanced(bySeconds: 8 * 3600)
        device.center.service.change { $0.grantEphemeral(until: end, policy: NotificationPolicy()) }
        #expect(await device.center.notificationSettings().authorizationStatus == .ephemeral)
        await device.host.advance(to: end)
        #expect(await device.center.notificationSettings().authorizationStatus == .notDetermined)
    }

    @Test func `a critical alert needs its entitlement, and a Focus holds back what is not urgent`()
        async throws
    {
        let device = try Device()
        device.host.surroundings.isCriticalEntitled = true
        try await device.center.requestAuthorization(options: [.alert, .sound, .criticalAlert])
        device.host.surroundings.isFocused = true
        device.host.surroundings.isMuted = true
        for (level, banner, sound) in [
            (UNNotificationInterruptionLevel.passive, false, false), (.active, false, false),
            (.timeSensitive, true, false), (.critical, true, true),
        ] {
            let made = content()
            made.interruptionLevel = level
            try await device.center.add(request("\(level)", nil, content: made))
            await device.settle()
            let presentation = try #require(device.host.shown.last?.presentation)
            #expect(presentation.showsBanner == banner, "\(level)")
            #expect(presentation.playsSound == sound, "\(level)")
            #expect(presentation.isListed)
        }
        device.host.surroundings.isCriticalEntitled = false
        let made = content()
        made.interruptionLevel = .critical
        try await device.center.add(request("no entitlement", nil, content: made))
        await device.settle()
        #expect(device.host.shown.last?.presentation.showsBanner == false)
    }
}
