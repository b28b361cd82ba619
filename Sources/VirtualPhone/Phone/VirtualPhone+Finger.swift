internal import UserNotifications
internal import Synchronization

extension VirtualPhone {
    /// The user taps a notification, wherever it is: its app comes to the front and gets the response.
    ///
    /// - Throws: `notification` when it is not there any more; `state` when the phone is locked and does not know the
    ///   user's face.
    public func tap(_ id: Int) async throws(PhoneError) {
        try await respond(to: id, .tap, event: .tapped, "")
    }

    /// The user presses a button of a notification.
    ///
    /// - Parameters:
    ///   - id: the notification.
    ///   - action: the button.
    ///   - text: what the user writes, for an action that asks for a text.
    /// - Throws: `notification` when it or its button is not there; `state` as for a tap.
    public func act(_ id: Int, action: String, text: String? = nil) async throws(PhoneError) {
        let entry = try entry(id)
        let names = entry.category?.actions.map(\.identifier) ?? []
        guard names.contains(action) else {
            let allowed = names.isEmpty ? "none" : names.joined(separator: ", ")
            throw PhoneError(
                .notification,
                "notification \(id): found the action \"\(action.prefix(60))\", allowed: \(allowed)")
        }
        try await respond(
            to: id, .action(action, userText: text), event: .acted,
            action + (text.map { ": \($0)" } ?? ""))
    }

    /// The user clears a notification from the list; the app hears of it if its category says so.
    ///
    /// - Throws: `notification` when it is not there any more.
    public func dismiss(_ id: Int) async throws(PhoneError) {
        try await respond(to: id, .dismiss, event: .dismissed, "")
    }

    /// The user flicks the banner away: it stays in the list, and the app hears nothing.
    ///
    /// - Throws: `notification` when there is no such banner.
    public func flickAway(_ id: Int) throws(PhoneError) {
        try change { contents throws(PhoneError) in
            guard let entry = contents.screen.entry(id), entry.isBanner else {
                throw PhoneError(.notification, "notification \(id) is no banner now")
            }
            contents.screen.hideBanner(id)
            contents.log(.bannerGone, app: entry.app, notification: id, "flicked away")
        }
    }

    /// The user clears everything that is in the list.
    public func clearAll() async {
        let ids = contents.withLock { contents in
            contents.log(.cleared)
            return contents.screen.entries.map(\.id)
        }
        // One that is gone meanwhile needs no clearing.
        for id in ids { try? await dismiss(id) }
    }

    /// The user opens what an app has not yet said, by its icon: ``open(_:)-(String)`` under the name of the finger.
    public func tapIcon(_ app: String) async throws(PhoneError) { try await open(app) }

    private func entry(_ id: Int) throws(PhoneError) -> PhoneScreen.Entry {
        try contents.withLock { contents throws(PhoneError) in
            guard let entry = contents.screen.entry(id) else {
                let ids = contents.screen.entries.map { "\($0.id)" }
                throw PhoneError(
                    .notification,
                    "found notification \(id), allowed: "
                        + (ids.isEmpty ? "none, nothing is shown" : ids.joined(separator: ", ")))
            }
            return entry
        }
    }

    private func respond(
        to id: Int, _ gesture: NotificationCenterMachine.Gesture, event: JournalEntry.Event, _ text: String
    ) async throws(PhoneError) {
        let entry = try entry(id)
        let app = entry.app
        try change { contents throws(PhoneError) in
            if entry.needsUnlock(for: gesture) { try contents.needUnlocked() }
            contents.log(event, app: app, notification: id, text)
        }
        let service = contents.withLock { $0.slots[app]?.center?.service }
        let identifier = entry.record.identifier
        let response = await service?.takeResponse(to: identifier, with: gesture, banner: entry.record)
        change { contents in
            // A banner that was not in the list is not withdrawn by the centre.
            _ = contents.screen.withdraw([identifier], of: app)
        }
        if let response { try hand(response, to: app) }
        await settle()
    }

    /// Brings the app to where it gets the response.
    private func hand(_ response: ResponseRecord, to app: String) throws(PhoneError) {
        let request = response.notification.request
        let isRemote = request.trigger == .push
        let options = LaunchOptions(remote: isRemote ? request : nil)
        guard response.opensApp else {
            change { contents in
                contents.wake(app, byUser: true, named: "the response \(response.actionIdentifier)") {
                    .response(response, work: $0)
                }
            }
            return
        }
        try open(app, handing: .response(response, work: nil), options: options)
        guard isRemote else { return }
        change { contents in
            guard contents.policy.fetchOnTap == .again, request.isContentAvailable else { return }
            contents.steps.append(
                .call(app: app, .didReceiveRemoteNotification(request), .active, work: nil))
        }
    }
}

extension PhoneScreen.Entry {
    fileprivate func needsUnlock(for gesture: NotificationCenterMachine.Gesture) -> Bool {
        switch gesture {
        case .tap: return true
        case .dismiss: return false
        case .action(let name, _):
            let options = UNNotificationActionOptions(rawValue: category?.action(name)?.options ?? 0)
            return !options.isDisjoint(with: [.foreground, .authenticationRequired])
        }
    }
}
