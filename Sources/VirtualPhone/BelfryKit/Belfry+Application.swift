public import BelfryKit

extension Belfry {
    /// Makes the notification part of an app on a simulated phone.
    ///
    ///     belfry = Belfry(service: address, application: application)
    ///
    /// - Parameters:
    ///   - service: the push service, for example a `belfry serve` of the test; nil for an app that has reminders only.
    ///   - application: the app, as its delegate has it.
    ///   - reportsReceipts: whether the push service is told of each push that reaches the app.
    ///   - badgePolicy: what decides about the number on the icon.
    ///   - hooks: what the app does for the library.
    public convenience init(
        service: PushServiceAddress?, application: Application, reportsReceipts: Bool = false,
        badgePolicy: BadgePolicy = .manual, hooks: Hooks = Hooks()
    ) {
        self.init(
            service: service, application: application, transport: PhoneTransport(application),
            reportsReceipts: reportsReceipts, badgePolicy: badgePolicy, hooks: hooks)
    }

    /// Makes the notification part of an app on a simulated phone, with requests that a test answers.
    ///
    /// - Parameters:
    ///   - service: the push service.
    ///   - application: the app, as its delegate has it.
    ///   - transport: what takes its requests.
    ///   - reportsReceipts: whether the push service is told of each push that reaches the app.
    ///   - badgePolicy: what decides about the number on the icon.
    ///   - hooks: what the app does for the library.
    public convenience init(
        service: PushServiceAddress?, application: Application, transport: any HTTPTransport,
        reportsReceipts: Bool = false, badgePolicy: BadgePolicy = .manual, hooks: Hooks = Hooks()
    ) {
        // Spreading retries would make a test's time depend on chance.
        self.init(
            service: service, center: application.userNotificationCenter,
            platform: PhonePlatform(application), transport: transport,
            storage: application.storage, sharedStorage: application.storage, time: PhoneTime(application),
            random: { 0.5 }, reportsReceipts: reportsReceipts, badgePolicy: badgePolicy, hooks: hooks)
    }
}

extension Reminders {
    /// Makes the reminders of an app on a simulated phone.
    ///
    /// - Parameters:
    ///   - application: the app, as its delegate has it.
    ///   - openApp: what the last slot says when reminders run dry because the app was not opened; nil for nothing.
    ///   - whenFull: what happens when there are more reminders than slots.
    public init(
        application: Application, openApp: ReminderContent? = nil, whenFull: FullPolicy = .report
    ) {
        self.init(
            center: application.userNotificationCenter, storage: application.storage,
            time: PhoneTime(application), openApp: openApp, whenFull: whenFull)
    }
}

extension LaunchCause {
    /// What the launch options of a simulated phone say.
    public init(_ options: LaunchOptions, of application: Application) {
        if let payload = options.remoteNotification {
            self = .remoteNotification(ReceivedNotification(payload: payload, date: application.now))
        } else {
            self = .plain
        }
    }
}

extension BackgroundFetchResult {
    /// What the phone is told of what the app did with a push.
    public init(_ outcome: FetchOutcome) {
        self =
            switch outcome {
            case .newData: .newData
            case .noData: .noData
            case .failed: .failed
            }
    }
}
