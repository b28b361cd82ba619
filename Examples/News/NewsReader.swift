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
    private let belfry: Belfry

    /// Makes the app.
    public init(belfry: Belfry) {
        self.belfry = belfry
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

    /// The user reads an article: the push service hears of it, so that the morning's digest suits the reader.
    ///
    /// - Throws: `invalidArgument` for an article with an id or tags that the service does not take.
    public func read(_ article: Article) throws {
        openArticle = article.id
        try belfry.events.record("read", article: article.id, tags: article.tags)
    }

    private func handle(_ event: NotificationEvent) async {
        guard case .opened(let notification, _) = event, let article = Self.article(notification) else {
            return
        }
        openArticle = article
    }

    private static func article(_ notification: ReceivedNotification) -> String? {
        notification.payload["article"]?.text
    }
}
