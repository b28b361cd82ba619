internal import APNs
package import Recurrence
internal import Synchronization
internal import UserNotifications

extension VirtualPhone {
    /// Does an action; returns when everything that follows is done.
    ///
    /// - Throws: what the function of the action throws; `value` for a part that is missing or not allowed.
    public func perform(_ action: PhoneAction) async throws(PhoneError) {
        switch action.action {
        case .tap: try await tap(target(action))
        case .act:
            guard let button = action.value else {
                throw PhoneError(.value, "act: found no button, allowed: its identifier")
            }
            try await act(target(action), action: button, text: action.text)
        case .reply: try await reply(to: target(action), action.text)
        case .dismiss: try await dismiss(target(action))
        case .flick: try flickAway(target(action))
        case .clear: await clearAll()
        case .keep: try await keepNotifications(of: targetApp(action))
        case .turnOff: try await turnOffNotifications(of: targetApp(action))
        case .allow: try await answerPermission(isAllowed: true)
        case .deny: try await answerPermission(isAllowed: false)
        case .open: try await open(targetApp(action))
        case .home: await goHome()
        case .quit: try await forceQuit(targetApp(action))
        case .terminate: try await terminate(targetApp(action))
        case .crash: try await crash(targetApp(action))
        case .reinstall: try await reinstall(targetApp(action))
        case .refresh: try await refreshInBackground(targetApp(action))
        case .lock: await lock()
        case .unlock: await unlock()
        case .airplane: await setAirplane(try isOn(action))
        case .power: await setLowPower(try isOn(action))
        case .mute: setMuted(try isOn(action))
        case .focus: setFocus(action.value == "off" ? nil : Focus(focusName(action)))
        case .reboot: await reboot()
        case .settings: try await changeSettings(action)
        case .zone: try await setZone(action.value ?? "")
        case .language: setLanguage(action.value ?? "en")
        case .advance: try await advance(action.value ?? "")
        case .push: try await push(file: Array((action.payload ?? "").utf8), to: action.app)
        }
    }

    private func focusName(_ action: PhoneAction) -> String {
        guard let name = action.value, name != "on" else { return "Do Not Disturb" }
        return name
    }

    /// The notification that is named, else the newest.
    private func target(_ action: PhoneAction) throws(PhoneError) -> Int {
        if let number = action.notification { return number }
        guard let newest = contents.withLock({ $0.screen.entries.last?.id }) else {
            throw PhoneError(.notification, "\(action.action.rawValue): nothing is shown")
        }
        return newest
    }

    /// The app that is named, else the one in front, else the only one.
    private func targetApp(_ action: PhoneAction) throws(PhoneError) -> String {
        let (front, order) = contents.withLock { ($0.front, $0.order) }
        if let app = action.app ?? front { return app }
        guard let first = order.first, order.count == 1 else {
            throw PhoneError(
                .app,
                "\(action.action.rawValue): found no app, allowed: "
                    + (order.isEmpty ? "none is installed" : order.joined(separator: ", ")))
        }
        return first
    }

    private func isOn(_ action: PhoneAction) throws(PhoneError) -> Bool {
        try Self.isOn(action.value, of: action.action.rawValue)
    }

    private static func isOn(_ text: String?, of name: String) throws(PhoneError) -> Bool {
        switch text {
        case "on": return true
        case "off": return false
        default:
            throw PhoneError(
                .value,
                "\(name): found \(text.map { "\"\($0.prefix(40))\"" } ?? "nothing"), allowed: on, off")
        }
    }

    private func reply(to id: Int, _ text: String?) async throws(PhoneError) {
        let button = contents.withLock { contents in
            contents.screen.entry(id)?.category?.actions.first { $0.textInput != nil }?.identifier
        }
        guard let button else {
            throw PhoneError(.notification, "notification \(id) has no button that takes a text")
        }
        try await act(id, action: button, text: text ?? "")
    }

    private func changeSettings(_ action: PhoneAction) async throws(PhoneError) {
        let app = try targetApp(action)
        let words = (action.value ?? "").split(separator: " ").map(String.init)
        let part = words.count > 1 ? words[0] : "notifications"
        let isOn = try Self.isOn(words.last, of: part)
        let change: @Sendable (inout AppSettings) -> Void
        switch part {
        case "notifications": change = { $0.allowsNotifications = isOn }
        case "banners": change = { $0.banners = isOn ? .temporary : .none }
        case "sounds": change = { $0.sounds = isOn }
        case "badges": change = { $0.badges = isOn }
        case "lock-screen": change = { $0.lockScreen = isOn }
        case "list": change = { $0.notificationCenter = isOn }
        case "time-sensitive": change = { $0.timeSensitive = isOn }
        case "previews": change = { $0.previews = isOn ? .always : .whenUnlocked }
        case "background-refresh": return try setBackgroundRefresh(isOn, for: app)
        default:
            throw PhoneError(
                .value,
                "settings: found \"\(part.prefix(40))\", allowed: notifications, banners, sounds, badges, "
                    + "lock-screen, list, time-sensitive, previews, background-refresh")
        }
        try await changeSettings(of: app, change)
    }

    private func advance(_ text: String) async throws(PhoneError) {
        await advance(to: try moment(ofAdvance: text))
    }

    /// The moment that the action `advance` leads to.
    ///
    /// - Parameter text: a length such as 90s, 15m, 2h, 1d; or a time of day such as 09:00.
    /// - Throws: `value` for anything else.
    package func moment(ofAdvance text: String) throws(PhoneError) -> Instant {
        if text.contains(":") {
            guard let time = TimeOfDay(text) else {
                throw PhoneError(.value, "time: found \"\(text.prefix(40))\", allowed: such as 09:00")
            }
            return next(time)
        }
        let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
        guard let unit = text.last.flatMap({ units[$0] }), let count = Int64(text.dropLast()),
            (0...1_000_000).contains(count)
        else {
            throw PhoneError(
                .value,
                "advance: found \"\(text.prefix(40))\", allowed: such as 90s, 15m, 2h, 1d or 09:00")
        }
        return now.advanced(bySeconds: count * unit)
    }
}
