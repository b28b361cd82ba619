internal import APNs
internal import Recurrence
internal import UserNotifications

extension PhoneContents {
    /// The phone at this moment.
    var state: PhoneState {
        let now = now
        let civil = zone.civil(at: now)
        let shown = screen.entries.reversed()
        return PhoneState(
            name: name, milliseconds: now.millisecondsSince1970, time: civil.iso8601,
            weekday: civil.date.weekday.name, zone: zone.name, language: language,
            isClockRunning: clock.isRunning, isLocked: screen.isLocked, focus: focus, isMuted: isMuted,
            isLowPower: isLowPower, isAirplane: isAirplane, isLinked: link != nil, prompt: prompt,
            front: front, apps: order.compactMap { app($0) },
            banner: shown.first { $0.isBanner }.map { notification($0) },
            liveActivities: activities.shown,
            lockScreen: shown.filter(\.isOnLockScreen).map { notification($0) }, groups: groups,
            lastEntry: journal.entries.last?.number ?? 0)
    }

    private func app(_ bundleIdentifier: String) -> PhoneState.App? {
        guard let slot = slots[bundleIdentifier] else { return nil }
        let state = slot.host.state
        return PhoneState.App(
            bundleIdentifier: bundleIdentifier, name: slot.manifest.name, state: slot.lifecycle.state,
            lastEnd: slot.lifecycle.lastEnd, badge: slot.badge,
            settings: AppSettings(state?.settings ?? SettingsRecord()), isRegistered: slot.isRegistered,
            token: slot.token?.hexString, pendingCount: state?.pending.count ?? 0,
            allowsBackgroundRefresh: slot.allowsBackgroundRefresh)
    }

    private var groups: [PhoneState.Group] {
        var groups: [PhoneState.Group] = []
        for entry in screen.entries.reversed() where entry.isListed {
            let thread = entry.record.request.content.threadIdentifier
            let shown = notification(entry)
            if let index = groups.firstIndex(where: { $0.app == entry.app && $0.threadIdentifier == thread })
            {
                groups[index].notifications.append(shown)
            } else {
                groups.append(
                    PhoneState.Group(app: entry.app, threadIdentifier: thread, notifications: [shown]))
            }
        }
        return groups
    }

    /// A notification with its texts in the language of the moment.
    func notification(_ entry: PhoneScreen.Entry) -> PhoneNotification {
        let slot = slots[entry.app]
        let content = entry.record.request.content
        let language = language
        func text(_ record: TextRecord) -> String {
            record.shown { slot?.manifest.string(forKey: $0, language: language) }
        }
        let isHidden = isPreviewHidden(slot)
        let options = UNNotificationCategoryOptions(rawValue: entry.category?.options ?? 0)
        let placeholder = entry.category.map { text($0.hiddenPreviewsBodyPlaceholder) } ?? ""
        return PhoneNotification(
            id: entry.id, app: entry.app, appName: slot?.manifest.name ?? entry.app,
            identifier: entry.record.identifier,
            title: isHidden && !options.contains(.hiddenPreviewsShowTitle) ? "" : text(content.title),
            subtitle: isHidden && !options.contains(.hiddenPreviewsShowSubtitle)
                ? "" : text(content.subtitle),
            body: isHidden ? (placeholder.isEmpty ? "Notification" : placeholder) : text(content.body),
            threadIdentifier: content.threadIdentifier, categoryIdentifier: content.categoryIdentifier,
            actions: entry.category?.actions.map { action in
                let options = UNNotificationActionOptions(rawValue: action.options)
                return PhoneNotification.Action(
                    identifier: action.identifier, title: text(action.title),
                    isDestructive: options.contains(.destructive),
                    isForeground: options.contains(.foreground),
                    isAuthenticationRequired: options.contains(.authenticationRequired),
                    placeholder: action.textInput.map { text($0.placeholder) },
                    buttonTitle: action.textInput.map { text($0.buttonTitle) })
            } ?? [],
            milliseconds: entry.record.dateMilliseconds, isRemote: entry.record.request.trigger == .push,
            attachmentCount: content.attachments.count, isPreviewHidden: isHidden, isListed: entry.isListed,
            isOnLockScreen: entry.isOnLockScreen, isBanner: entry.isBanner, asksToKeep: entry.asksToKeep)
    }

    private func isPreviewHidden(_ slot: Slot?) -> Bool {
        switch UNShowPreviewsSetting(rawValue: slot?.host.state?.settings.showPreviews ?? 0) {
        case .never: true
        case .whenAuthenticated: screen.isLocked
        default: false
        }
    }
}
