package import Recurrence

extension NotificationCenterMachine {
    /// What a request for permission leads to.
    package enum AuthorizationStep: Hashable, Sendable {
        /// The answer is known.
        case answer(Bool)
        /// The user has to be asked: go on with `answerPrompt`.
        case prompt
    }

    /// The app asks for permission.
    package mutating func requestAuthorization(
        _ options: UNAuthorizationOptions, policy: NotificationPolicy
    ) -> AuthorizationStep {
        switch status {
        case .notDetermined:
            guard options.contains(.provisional) else { return .prompt }
            grantProvisionally(options, policy: policy)
            return .answer(true)
        case .provisional:
            let asksForMore = !options.contains(.provisional) && !state.isPromptAnswered
            return asksForMore && policy.provisionalUpgrade == .prompts ? .prompt : .answer(true)
        case .ephemeral:
            return state.isPromptAnswered ? .answer(true) : .prompt
        case .denied: return .answer(false)
        case .authorized: return .answer(true)
        }
    }

    /// The user answers the prompt.
    package mutating func answerPrompt(
        isAllowed: Bool, options: UNAuthorizationOptions, surroundings: NotificationSurroundings,
        policy: NotificationPolicy
    ) {
        state.isPromptAnswered = true
        state.ephemeralEndMilliseconds = nil
        state.requestedOptions |= options.rawValue
        let value = isAllowed ? SettingsRecord.enabled : SettingsRecord.disabled
        var settings = SettingsRecord()
        settings.authorizationStatus =
            (isAllowed ? UNAuthorizationStatus.authorized : .denied).rawValue
        if options.contains(.alert) {
            settings.alert = value
            settings.lockScreen = value
            settings.notificationCenter = value
            settings.alertStyle = (isAllowed ? UNAlertStyle.banner : .none).rawValue
        }
        if options.contains(.sound) { settings.sound = value }
        if options.contains(.badge) { settings.badge = value }
        if options.contains(.carPlay) { settings.carPlay = value }
        if options.contains(.criticalAlert), surroundings.isCriticalEntitled {
            settings.criticalAlert = value
        }
        if surroundings.isTimeSensitiveEntitled { settings.timeSensitive = value }
        settings.announcement = SettingsRecord.disabled
        settings.scheduledDelivery = SettingsRecord.disabled
        settings.showPreviews = policy.previews.rawValue
        settings.providesAppNotificationSettings = options.contains(.providesAppNotificationSettings)
        state.settings = settings
    }

    private mutating func grantProvisionally(
        _ options: UNAuthorizationOptions, policy: NotificationPolicy
    ) {
        state.requestedOptions |= options.rawValue
        var settings = SettingsRecord()
        settings.authorizationStatus = UNAuthorizationStatus.provisional.rawValue
        settings.alert = SettingsRecord.disabled
        settings.sound = SettingsRecord.disabled
        settings.badge = SettingsRecord.disabled
        settings.lockScreen = SettingsRecord.disabled
        settings.notificationCenter = SettingsRecord.enabled
        settings.scheduledDelivery = SettingsRecord.disabled
        settings.showPreviews = policy.previews.rawValue
        settings.providesAppNotificationSettings = options.contains(.providesAppNotificationSettings)
        state.settings = settings
    }

    /// The user keeps quiet notifications or turns them off, with the buttons of one.
    package mutating func answerProvisional(keeps: Bool) {
        guard status == .provisional else { return }
        let new: UNAuthorizationStatus = keeps ? .authorized : .denied
        state.settings.authorizationStatus = new.rawValue
        // Kept, they come without alert, sound and badge until the user changes that in Settings.
        if !keeps {
            state.settings.notificationCenter = SettingsRecord.disabled
        }
        state.isPromptAnswered = true
    }

    /// An App Clip is opened, which may notify for a while.
    package mutating func grantEphemeral(until end: Instant, policy: NotificationPolicy) {
        guard status == .notDetermined else { return }
        answerPrompt(
            isAllowed: true, options: [.alert, .sound, .badge],
            surroundings: NotificationSurroundings(isTimeSensitiveEntitled: false), policy: policy)
        state.isPromptAnswered = false
        state.settings.authorizationStatus = UNAuthorizationStatus.ephemeral.rawValue
        state.ephemeralEndMilliseconds = end.millisecondsSince1970
    }

    /// Ends an App Clip's permission when its time is over.
    package mutating func endEphemeral(at now: Instant) {
        guard let end = state.ephemeralEndMilliseconds, now.millisecondsSince1970 >= end else { return }
        state.ephemeralEndMilliseconds = nil
        state.settings = SettingsRecord()
    }

    /// The user changes something in Settings.
    package mutating func changeSettings(_ change: (inout SettingsRecord) -> Void) {
        change(&state.settings)
        state.isPromptAnswered = true
    }

    /// Forgets the user's decision, as erasing a simulator does.
    package mutating func resetAuthorization() {
        state.settings = SettingsRecord()
        state.isPromptAnswered = false
        state.requestedOptions = 0
        state.ephemeralEndMilliseconds = nil
    }

    package var status: UNAuthorizationStatus {
        UNAuthorizationStatus(rawValue: state.settings.authorizationStatus) ?? .notDetermined
    }

    /// Whether requests are kept and shown at all.
    package var mayNotify: Bool { status != .notDetermined && status != .denied }
}
