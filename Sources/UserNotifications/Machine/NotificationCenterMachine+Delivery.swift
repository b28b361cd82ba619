package import Recurrence

extension NotificationCenterMachine {
    /// Time has passed: everything that is due is delivered, in order.
    package mutating func fire(
        in context: TriggerContext, surroundings: NotificationSurroundings
    ) -> [NotificationCenterAction] {
        endEphemeral(at: context.now)
        var actions: [NotificationCenterAction] = []
        // None of them is due again: the next date of one that repeats is later than now.
        for due in due(at: context.now) {
            for date in advance(due, in: context) {
                actions += deliver(due.request, at: date, surroundings: surroundings, policy: context.policy)
            }
        }
        return actions
    }

    /// A border was crossed.
    package mutating func cross(
        region identifier: String, isEntry: Bool, in context: TriggerContext,
        surroundings: NotificationSurroundings
    ) -> [NotificationCenterAction] {
        var actions: [NotificationCenterAction] = []
        for record in pending {
            guard case .location(let region, let repeats) = record.request.trigger,
                region.identifier == identifier, isEntry ? region.notifiesOnEntry : region.notifiesOnExit
            else { continue }
            if !repeats { state.pending[record.request.identifier] = nil }
            actions += deliver(
                record.request, at: context.now, surroundings: surroundings, policy: context.policy)
        }
        return actions
    }

    /// A visible remote notification arrives.
    package mutating func receive(
        _ request: RequestRecord, at now: Instant, surroundings: NotificationSurroundings,
        policy: NotificationPolicy
    ) -> [NotificationCenterAction] {
        deliver(request, at: now, surroundings: surroundings, policy: policy)
    }

    /// The app in the foreground has said how to present; without an answer nothing is shown.
    package mutating func present(
        _ notification: NotificationRecord, options: UNNotificationPresentationOptions,
        surroundings: NotificationSurroundings
    ) -> [NotificationCenterAction] {
        guard let index = asked.firstIndex(of: notification) else { return [] }
        asked.remove(at: index)
        var presentation = presentation(of: notification, surroundings: surroundings)
        presentation.showsBanner = presentation.showsBanner && !options.isDisjoint(with: [.banner, .alert])
        presentation.isListed = presentation.isListed && !options.isDisjoint(with: [.list, .alert])
        presentation.showsOnLockScreen = false
        presentation.lightsScreen = false
        presentation.playsSound = presentation.playsSound && options.contains(.sound)
        if !options.contains(.badge) { presentation.badge = nil }
        return show(notification, presentation)
    }

    // MARK: Private

    private func due(at now: Instant) -> [PendingRecord] {
        state.pending.values
            .filter { ($0.nextMilliseconds ?? .max) <= now.millisecondsSince1970 }
            .sorted {
                ($0.nextMilliseconds ?? .max, $0.sequence) < ($1.nextMilliseconds ?? .max, $1.sequence)
            }
    }

    /// Moves a due request to its next date or takes it off the list; gives the dates to deliver.
    private mutating func advance(_ due: PendingRecord, in context: TriggerContext) -> [Instant] {
        let identifier = due.request.identifier
        guard let trigger = due.request.trigger, var date = due.next else {
            state.pending[identifier] = nil
            return []
        }
        guard trigger.repeats else {
            state.pending[identifier] = nil
            return [date]
        }
        var dates = [date]
        var next = trigger.next(after: date, added: due.added, in: context)
        while let missed = next, missed <= context.now {
            guard missed > date else { break }
            if context.policy.missedRepeats == .all, dates.count < Self.missedCountMax {
                dates.append(missed)
            } else {
                dates[dates.count - 1] = missed
            }
            date = missed
            next = trigger.next(after: missed, added: due.added, in: context)
        }
        if let next {
            state.pending[identifier]?.nextMilliseconds = next.millisecondsSince1970
        } else {
            state.pending[identifier] = nil
        }
        guard context.policy.missedRepeats == .none else { return dates }
        return dates.filter {
            context.now.millisecondsSince1970 - $0.millisecondsSince1970 <= Self.missedAfterMilliseconds
        }
    }

    mutating func deliver(
        _ request: RequestRecord, at date: Instant, surroundings: NotificationSurroundings,
        policy: NotificationPolicy
    ) -> [NotificationCenterAction] {
        guard mayNotify else { return [] }
        let notification = NotificationRecord(request: request, date: date)
        if surroundings.isForeground {
            asked.append(notification)
            return [.ask(notification)]
        }
        return show(notification, presentation(of: notification, surroundings: surroundings))
    }

    private mutating func show(
        _ notification: NotificationRecord, _ presentation: NotificationPresentation
    ) -> [NotificationCenterAction] {
        guard !presentation.isEmpty else { return [] }
        if let badge = presentation.badge { state.badge = badge }
        if presentation.isListed { list(notification) }
        return [.show(notification, presentation)]
            + (presentation.badge.map { [.setBadge($0)] } ?? [])
    }

    /// What settings, level and Focus leave of a notification.
    func presentation(
        of notification: NotificationRecord, surroundings: NotificationSurroundings
    ) -> NotificationPresentation {
        let content = notification.request.content
        let settings = state.settings
        let level = effectiveLevel(of: content, surroundings: surroundings)
        let isHeldBack = surroundings.isFocused && level != .timeSensitive && level != .critical
        let isQuiet = level == .passive || status == .provisional || isHeldBack
        let hasAlert = content.hasText || !content.attachments.isEmpty
        let on = SettingsRecord.enabled
        var result = NotificationPresentation()
        result.isListed = hasAlert && settings.notificationCenter == on
        result.asksToKeep = result.isListed && status == .provisional
        result.showsOnLockScreen = hasAlert && settings.lockScreen == on && status != .provisional
        result.showsBanner =
            hasAlert && settings.alert == on && settings.alertStyle != UNAlertStyle.none.rawValue && !isQuiet
        result.lightsScreen = result.showsOnLockScreen && !isQuiet
        let isCriticalSound =
            level == .critical || (content.sound?.kind == .critical && settings.criticalAlert == on)
        result.playsSound =
            content.sound != nil
            && (isCriticalSound || (settings.sound == on && !isQuiet && !surroundings.isMuted))
        result.badge = settings.badge == on ? content.badge : nil
        return result
    }

    /// The level that counts: without entitlement or against the user's setting it is active.
    private func effectiveLevel(
        of content: ContentRecord, surroundings: NotificationSurroundings
    ) -> UNNotificationInterruptionLevel {
        let level =
            UNNotificationInterruptionLevel(rawValue: UInt(max(0, content.interruptionLevel))) ?? .active
        switch level {
        case .critical:
            return surroundings.isCriticalEntitled && state.settings.criticalAlert == SettingsRecord.enabled
                ? .critical : .active
        case .timeSensitive:
            return surroundings.isTimeSensitiveEntitled
                && state.settings.timeSensitive != SettingsRecord.disabled ? .timeSensitive : .active
        case .active, .passive: return level
        }
    }
}
