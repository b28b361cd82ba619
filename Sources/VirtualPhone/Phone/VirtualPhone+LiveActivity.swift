public import APNs
internal import Foundation
internal import Recurrence
internal import Synchronization

extension VirtualPhone {
    /// A push for a Live Activity: a start, an update or an end.
    ///
    /// - Parameters:
    ///   - payload: a JSON object with `aps`, which has `event`, `timestamp` and `content-state`.
    ///   - app: the app it is for.
    ///   - activity: the activity's identifier; nil for the app's newest one, or for a start.
    ///   - priority: 10 counts against the app's hourly budget, 5 does not.
    /// - Throws: `push` for a payload that is none of a Live Activity; `app` for one that is not on the phone.
    public func pushLiveActivity(
        _ payload: JSONValue, to app: String, activity: String? = nil, priority: Priority = .high
    ) async throws(PhoneError) {
        _ = try slot(app)
        let event: Payload
        do {
            event = try Payload(parsing: payload.encoded())
        } catch {
            throw PhoneError(.push, error.message)
        }
        guard let liveActivity = event.liveActivity else {
            throw PhoneError(.push, "aps: found no event, allowed: start, update, end")
        }
        receive(liveActivity, event.relevanceScore, for: app, activity: activity, priority: priority)
        await settle()
    }

    /// The user swipes a Live Activity off the lock screen.
    ///
    /// - Throws: `notification` when it is not there any more.
    public func dismissLiveActivity(_ id: Int) throws(PhoneError) {
        try change { contents throws(PhoneError) in
            guard let activity = contents.activities.dismiss(id) else {
                throw PhoneError(.notification, "Live Activity \(id) is not there")
            }
            contents.slots[activity.app]?.activityTokens[activity.identifier] = nil
            contents.log(.activityGone, app: activity.app, "\(activity.identifier), by the user")
        }
    }

    /// The switch Live Activities on an app's page in Settings; off, those that are there go.
    ///
    /// - Throws: `app`.
    public func setLiveActivities(_ isOn: Bool, for app: String) throws(PhoneError) {
        try change { contents throws(PhoneError) in
            _ = try contents.slot(app)
            contents.slots[app]?.allowsLiveActivities = isOn
            if !isOn {
                contents.activities.removeAll(of: app)
                contents.slots[app]?.activityTokens = [:]
            }
            contents.log(.settings, app: app, "Live Activities \(isOn ? "on" : "off")")
        }
    }

    // MARK: Pushes

    /// A push of the type `liveactivity` came over the link.
    func receiveLiveActivity(_ push: RemotePush) {
        let app = push.bundleIdentifier
        let payload: Payload
        do {
            payload = try Payload(parsing: push.payload)
        } catch {
            return change { $0.log(.dropped, app: app, "the payload cannot be read: \(error.message)") }
        }
        guard let liveActivity = payload.liveActivity else {
            return change {
                $0.log(.dropped, app: app, "\(push.identifier): aps has no event of a Live Activity")
            }
        }
        var activity: String?
        if let token = push.token, case .start = liveActivity.event {
            let isKnown = contents.withLock { $0.slots[app]?.activityStartToken == token }
            guard isKnown else {
                return change {
                    $0.log(.dropped, app: app, "\(push.identifier): \(token) starts no activities")
                }
            }
        } else if let token = push.token {
            activity = contents.withLock { $0.slots[app]?.activityTokens.first { $0.value == token }?.key }
            guard activity != nil else {
                return change { $0.log(.dropped, app: app, "\(push.identifier): the activity is over") }
            }
        }
        receive(
            liveActivity, payload.relevanceScore, for: app, activity: activity,
            priority: push.priority ?? .high)
    }

    private func receive(
        _ event: LiveActivity, _ relevanceScore: Double?, for app: String, activity: String?,
        priority: Priority
    ) {
        let started = change { contents -> String? in
            guard let slot = contents.slots[app] else {
                contents.log(.dropped, app: app, "the app is not installed")
                return nil
            }
            contents.log(.received, app: app, "Live Activity: \(event.event.name)")
            guard slot.allowsLiveActivities else {
                contents.log(.dropped, app: app, "the user has turned Live Activities off")
                return nil
            }
            let isFrequent = slot.manifest.supportsFrequentUpdates
            let budget =
                isFrequent
                ? contents.policy.liveActivityFrequentBudget : contents.policy.liveActivityBudget
            guard priority != .high || contents.activities.spend(app, budget: budget, at: contents.now) else {
                contents.log(
                    .dropped, app: app,
                    "Live Activity: the budget of \(budget) an hour with priority 10 is used up")
                return nil
            }
            return contents.carryOut(event, relevanceScore, app: app, activity: activity)
        }
        if let started { begin { await self.giveToken(of: started, to: app, wakes: true) } }
    }

    // MARK: The app

    func startLiveActivity(
        _ app: String, attributesType: String, attributes: JSONValue, contentState: JSONValue,
        staleDate: Instant?, relevanceScore: Double
    ) throws(PhoneError) -> String {
        let identifier = try change { contents throws(PhoneError) in
            guard contents.slots[app]?.lifecycle.state.isForeground == true else {
                throw PhoneError(.state, "a Live Activity can be started by an app in front, or by a push")
            }
            guard contents.slots[app]?.allowsLiveActivities == true else {
                throw PhoneError(.state, "the user has turned Live Activities off")
            }
            return contents.startActivity(
                app, attributesType, attributes, contentState, timestamp: contents.now.secondsSince1970,
                staleDate: staleDate?.secondsSince1970, relevanceScore: relevanceScore)
        }
        begin { await self.giveToken(of: identifier, to: app, wakes: false) }
        return identifier
    }

    func changeLiveActivity(
        _ identifier: String, of app: String,
        _ body: (inout LiveActivityBoard, PhoneLiveActivity, Instant) -> LiveActivityBoard.Change
    ) throws(PhoneError) {
        try change { contents throws(PhoneError) in
            guard let activity = contents.activities.activity(identifier, of: app) else {
                throw PhoneError(.notification, "found no Live Activity \(identifier.prefix(40))")
            }
            let change = body(&contents.activities, activity, contents.now)
            contents.log(change, of: activity)
        }
    }

    func liveActivities(of app: String) -> [PhoneLiveActivity] {
        contents.withLock { $0.activities.activities.filter { $0.app == app } }
    }

    /// Asks for the token that starts activities.
    func registerForLiveActivityStarts(_ app: String) {
        begin {
            guard let token = await self.token(of: app, "liveactivity-start", "") else { return }
            self.change { contents in
                contents.slots[app]?.activityStartToken = token
                contents.call(app, .didUpdateActivityStartToken(Data(token.bytes)))
            }
        }
    }

    /// Gets an activity its token and tells the app, which is woken for it where a push has started the activity.
    private func giveToken(of identifier: String, to app: String, wakes: Bool) async {
        guard let token = await token(of: app, "liveactivity", identifier) else { return }
        change { contents in
            guard contents.activities.activity(identifier, of: app) != nil else { return }
            contents.slots[app]?.activityTokens[identifier] = token
            let callback = AppCallback.didUpdateActivityToken(Data(token.bytes), identifier)
            guard wakes else { return contents.call(app, callback) }
            contents.wake(app, byUser: false, named: "the token of a Live Activity") {
                .callback(callback, work: $0)
            }
        }
    }
}

extension PhoneContents {
    /// Does what a push says.
    ///
    /// - Returns: the activity that it started.
    fileprivate mutating func carryOut(
        _ event: LiveActivity, _ relevanceScore: Double?, app: String, activity identifier: String?
    ) -> String? {
        let state = event.contentState.map { JSONValue.object($0) }
        if case .start(let start) = event.event {
            let identifier = startActivity(
                app, start.attributesType, .object(start.attributes), state ?? [:],
                timestamp: event.timestamp,
                staleDate: event.staleDate, relevanceScore: relevanceScore ?? 0)
            alert(event.alert, app: app)
            return identifier
        }
        let found = identifier.map { activities.activity($0, of: app) } ?? activities.newest(of: app)
        guard let found else {
            log(.dropped, app: app, "Live Activity: there is none to \(event.event.name)")
            return nil
        }
        let change: LiveActivityBoard.Change
        if case .end(let dismissalDate) = event.event {
            change = activities.end(
                found.id, contentState: state, timestamp: event.timestamp, dismissalDate: dismissalDate,
                at: now)
        } else {
            change = activities.update(
                found.id, contentState: state, timestamp: event.timestamp, staleDate: event.staleDate,
                relevanceScore: relevanceScore)
        }
        log(change, of: found)
        if case .dropped = change { return nil }
        alert(event.alert, app: app)
        return nil
    }

    fileprivate mutating func startActivity(
        _ app: String, _ attributesType: String, _ attributes: JSONValue, _ contentState: JSONValue,
        timestamp: Int64, staleDate: Int64?, relevanceScore: Double
    ) -> String {
        let activity = activities.start(
            uuid(), of: app, attributesType: attributesType, attributes: attributes,
            contentState: contentState, timestamp: timestamp, staleDate: staleDate,
            relevanceScore: relevanceScore, at: now)
        log(.started, of: activity)
        return activity.identifier
    }

    /// An alert lights the screen and sounds; its text is the activity's own affair.
    private mutating func alert(_ alert: LiveActivity.Alert?, app: String) {
        guard let alert else { return }
        if screen.isLocked { log(.lit, app: app) }
        if let sound = alert.sound, !isMuted { log(.sound, app: app, sound) }
    }

    mutating func log(_ change: LiveActivityBoard.Change, of activity: PhoneLiveActivity) {
        let now = activities.activity(activity.identifier, of: activity.app) ?? activity
        let content = (try? now.contentState.encoded()).map { String(decoding: $0, as: UTF8.self) } ?? ""
        let event: JournalEntry.Event
        switch change {
        case .started: event = .activityStarted
        case .updated: event = .activityUpdated
        case .stale: event = .activityStale
        case .ended: event = .activityEnded
        case .gone: event = .activityGone
        case .dropped(let why):
            return log(.dropped, app: activity.app, "Live Activity \(activity.identifier): \(why)")
        }
        if event == .activityGone || event == .activityEnded {
            slots[activity.app]?.activityTokens[activity.identifier] = nil
        }
        log(event, app: activity.app, "\(activity.attributesType) \(content)")
    }

    /// Does with activities what is due.
    mutating func advanceActivities() {
        for (activity, change) in activities.advance(to: now) { log(change, of: activity) }
    }
}
