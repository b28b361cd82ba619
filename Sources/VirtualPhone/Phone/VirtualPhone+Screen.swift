internal import Recurrence
internal import UserNotifications
internal import Synchronization

extension VirtualPhone {
    func surroundings(of app: String) -> NotificationSurroundings {
        contents.withLock { contents in
            let slot = contents.slots[app]
            return NotificationSurroundings(
                isForeground: slot?.lifecycle.state.isForeground ?? false && !contents.screen.isLocked,
                isFocused: contents.focus.map { !$0.allowedApps.contains(app) } ?? false,
                isMuted: contents.isMuted,
                isTimeSensitiveEntitled: slot?.manifest.isTimeSensitiveEntitled ?? false,
                isCriticalEntitled: slot?.manifest.isCriticalAlertEntitled ?? false)
        }
    }

    /// A centre shows something.
    func show(
        _ record: NotificationRecord, category: CategoryRecord?, presentation: NotificationPresentation,
        of app: String
    ) {
        change { contents in
            let isPersistent =
                contents.slots[app]?.host.state?.settings.alertStyle == UNAlertStyle.alert.rawValue
            let entry = contents.screen.show(
                record, app: app, category: category, presentation: presentation,
                isPersistent: isPersistent, at: contents.now)
            if let entry { contents.log(entry, presentation) }
            if presentation.playsSound {
                contents.log(.sound, app: app, notification: entry?.id, record.request.content.soundName)
            }
            if entry == nil, presentation.badge == nil, !presentation.playsSound {
                contents.log(.silent, app: app, "\(record.identifier): settings leave nothing of it")
            }
        }
    }

    func withdraw(_ identifiers: [String], of app: String) {
        change { contents in
            for entry in contents.screen.withdraw(identifiers, of: app) {
                contents.log(.withdrawn, app: app, notification: entry.id)
            }
        }
    }

    func setBadge(_ count: Int, of app: String) {
        change { contents in
            contents.slots[app]?.badge = count
            contents.log(.badge, app: app, "\(count)")
        }
    }

    func setWake(_ instant: Instant?, of app: String) {
        contents.withLock { $0.slots[app]?.wake = instant }
    }

    func diagnose(_ message: String, app: String) { change { $0.log(.diagnosis, app: app, message) } }

    func badge(of app: String) -> Int { contents.withLock { $0.slots[app]?.badge ?? 0 } }

    func setIconBadge(_ number: Int, of app: String) {
        let service = contents.withLock { contents in
            // What the app sets it reads at once, as it does on iOS.
            contents.slots[app]?.badge = max(0, number)
            return contents.slots[app]?.center?.service
        }
        service?.setApplicationIconBadgeNumber(number)
    }
}

extension PhoneContents {
    fileprivate mutating func log(_ entry: PhoneScreen.Entry, _ presentation: NotificationPresentation) {
        let shown = notification(entry)
        let text = [shown.title, shown.subtitle, shown.body].filter { !$0.isEmpty }.joined(separator: " · ")
        if entry.isBanner { log(.banner, app: entry.app, notification: entry.id, text) }
        if entry.isOnLockScreen { log(.lockScreen, app: entry.app, notification: entry.id, text) }
        if entry.isListed, !entry.isBanner, !entry.isOnLockScreen {
            log(.listed, app: entry.app, notification: entry.id, text)
        }
        if screen.isLocked, presentation.lightsScreen {
            log(.lit, app: entry.app, notification: entry.id)
        }
    }
}

extension ContentRecord {
    /// The file that is heard; the system's own sound has no name.
    fileprivate var soundName: String { sound?.name ?? "default" }
}
