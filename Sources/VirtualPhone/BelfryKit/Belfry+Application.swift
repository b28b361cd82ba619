public import BelfryKit

extension Belfry {
    /// Makes the notification part of an app on a simulated phone.
    ///
    ///     belfry = Belfry(service: address, application: application)
    ///
    /// - Parameters:
    ///   - service: the push service, for example a `belfry serve` of the test.
    ///   - application: the app, as its delegate has it.
    ///   - hooks: what the app does for the library.
    public convenience init(
        service: PushServiceAddress, application: Application, hooks: Hooks = Hooks()
    ) {
        // Spreading retries would make a test's time depend on chance.
        self.init(
            service: service, center: application.userNotificationCenter,
            platform: PhonePlatform(application), transport: PhoneTransport(application),
            storage: application.storage, time: PhoneTime(application), random: { 0.5 }, hooks: hooks)
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
