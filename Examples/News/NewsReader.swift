public import BelfryKit
internal import Foundation

/// The app: articles, and a switch for notifications that tells the truth.
@MainActor public final class NewsReader {
    /// The switch on the app's settings screen.
    public enum SwitchState: Hashable, Sendable {
        /// Notifications come.
        case on
        /// They do not, and the switch can turn them on.
        case off
        /// They do not, and only Settings can turn them on: the screen says so, and leads there.
        case offInSettings
    }

    /// The article on the screen.
    public private(set) var openArticle: String?
    /// The articles that came while nobody looked.
    public private(set) var fetched: [String] = []
    /// What was read.
    public let reports: ReadingReports
    private let belfry: Belfry

    /// Makes the app.
    public init(
        belfry: Belfry, service: PushServiceAddress, transport: any HTTPTransport,
        storage: any KeyValueStorage, time: any DeviceTime
    ) {
        self.belfry = belfry
        let registration = belfry.registration
        reports = ReadingReports(
            service: service, transport: transport, storage: storage, time: time
        ) { registration.state.objectID }
        belfry.onEvent { [weak self] in await self?.handle($0) }
        belfry.onBackgroundPush { [weak self] notification in
            guard let self, let article = Self.article(notification) else { return .noData }
            fetched.append(article)
            return .newData
        }
    }

    // MARK: The switch

    /// What the switch shows; read again when the app becomes active.
    public var notifications: SwitchState {
        switch belfry.permission.pushSwitch.blocker {
        case nil: .on
        case .wish, .notAsked: .off
        case .system: .offInSettings
        }
    }

    /// The user moves the switch.
    public func setNotifications(_ isOn: Bool) async throws {
        let pushSwitch = await belfry.permission.setWanted(isOn)
        guard isOn else { return }
        switch pushSwitch.blocker {
        // The user wants them: there is nothing to ask before the system asks.
        case .notAsked: _ = try await belfry.permission.request(pauseSeconds: nil)
        case .system: await belfry.permission.openSettings()
        case .wish, nil: break
        }
    }

    // MARK: Reading

    /// The user reads an article.
    public func read(_ article: Article) async {
        openArticle = article.id
        await reports.record(article)
    }

    private func handle(_ event: NotificationEvent) async {
        // The registration may have come through meanwhile.
        await reports.send()
        guard case .opened(let notification, _) = event, let article = Self.article(notification) else {
            return
        }
        openArticle = article
    }

    private static func article(_ notification: ReceivedNotification) -> String? {
        notification.payload["article"]?.text
    }
}
