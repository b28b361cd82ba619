/// One notification in a service extension: the first content, or the end of its time, decides.
///
///     running ──(content)──▶ done
///        └──(time over)──▶ expiring ──(content)──▶ done
///                              └──(returned)──▶ done, with the original
package struct ServiceExtensionMachine: Sendable {
    package enum Outcome: Hashable, Sendable {
        case show(ContentRecord)
        /// Nothing is shown: an empty content of an app that may filter.
        case suppress
    }

    private enum State: Hashable, Sendable {
        case running, expiring
        case done
    }

    private let original: ContentRecord
    /// Whether the app has the entitlement to filter notifications.
    private let mayFilter: Bool
    private var state = State.running

    /// How long an extension may take, in seconds (Apple: `UNNotificationServiceExtension`).
    package static let secondsMax: Int64 = 30

    package init(original: ContentRecord, mayFilter: Bool) {
        self.original = original
        self.mayFilter = mayFilter
    }

    /// Whether an extension is run for a remote notification at all.
    ///
    /// - Parameter isMutable: whether its payload says `mutable-content`.
    package static func runs(for content: ContentRecord, isMutable: Bool, settings: SettingsRecord) -> Bool {
        isMutable && content.hasText
            && (settings.alert == SettingsRecord.enabled
                || settings.notificationCenter == SettingsRecord.enabled
                || settings.lockScreen == SettingsRecord.enabled)
    }

    /// The extension gave a content; nil when it comes too late or again.
    package mutating func receive(_ content: ContentRecord) -> Outcome? {
        guard state != .done else { return nil }
        state = .done
        if content.hasText { return .show(content) }
        return mayFilter ? .suppress : .show(original)
    }

    /// The time is over: whether the extension has to be told.
    package mutating func expire() -> Bool {
        guard state == .running else { return false }
        state = .expiring
        return true
    }

    /// The extension has used its last chance, or not; nil when it did.
    package mutating func finish() -> Outcome? {
        guard state != .done else { return nil }
        state = .done
        return .show(original)
    }
}
