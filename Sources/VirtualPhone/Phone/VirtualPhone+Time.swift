public import Recurrence
internal import UserNotifications
internal import Synchronization

extension VirtualPhone {
    /// Waits until nothing is going on that ends by itself: callbacks, registrations, extensions, notifications.
    ///
    /// What waits for the phone's clock, or for the user's answer, does not count. An app that keeps a completion
    /// handler without calling it is waited for as long as the policy's `patience` says.
    public func settle() async {
        let watchdog = Task { await giveUpWhatHangs() }
        defer { watchdog.cancel() }
        var quietPassCount = 0
        while quietPassCount < 2 {
            let before = stamp
            await idle()
            for link in links { await link.settle() }
            // What the app began on the main actor comes first.
            await MainActor.run {}
            await Task.yield()
            let isQuiet = before == stamp && contents.withLock { $0.isIdle }
            quietPassCount = isQuiet ? quietPassCount + 1 : 0
        }
    }

    /// Gives up calls that take longer than the policy allows, while somebody waits.
    private func giveUpWhatHangs() async {
        let patience = contents.withLock { $0.policy.patience }
        var begun: [Int] = []
        while (try? await Task.sleep(for: patience)) != nil {
            let tickets = contents.withLock { Array($0.tickets.values) }
            for ticket in tickets where ContinuousClock.now - ticket.began >= patience { ticket.giveUp() }
            let links = links
            let counts = links.map(\.begunCount)
            // A delegate that never answers holds its centre: nothing new has begun there since the last look.
            if counts == begun { for link in links { link.parkAll() } }
            begun = counts
            change { _ in }
        }
    }

    private var links: [NotificationHostLink] {
        contents.withLock { contents in contents.order.compactMap { contents.slots[$0]?.host.link } }
    }

    /// Changes with everything that is done.
    private var stamp: Int {
        links.reduce(contents.withLock { $0.stamp }) { $0 + $1.begunCount }
    }

    private func idle() async {
        await withCheckedContinuation { continuation in
            let isIdle = contents.withLock { contents in
                if contents.isIdle { return true }
                contents.idleWaiters.append(continuation)
                return false
            }
            if isIdle { continuation.resume() }
        }
    }

    // MARK: Moving the clock

    /// Moves the clock to a moment; everything due until then happens at its time, in order.
    ///
    /// A moment that is past changes nothing.
    public func advance(to target: Instant) async {
        await clockLock.run {
            await settle()
            while let due = takeDue(until: target) { await perform(due) }
            contents.withLock { $0.clock.move(to: target) }
            wakeWaiters()
        }
    }

    /// Moves the clock on.
    public func advance(by duration: Duration) async {
        let (seconds, attoseconds) = duration.components
        await advance(
            to: now.advanced(byMilliseconds: seconds * 1000 + attoseconds / 1_000_000_000_000_000))
    }

    /// Moves the clock by days of 24 hours.
    public func advance(days: Int) async { await advance(by: .seconds(days * 86_400)) }

    /// Moves the clock to when it next shows a time of day, today or tomorrow.
    ///
    /// - Throws: `value` for a time that is not one, such as "9:75".
    public func advance(toNext time: String) async throws(PhoneError) {
        guard let time = TimeOfDay(time) else {
            throw PhoneError(.value, "time: found \"\(time.prefix(40))\", allowed: such as 09:00")
        }
        await advance(to: next(time))
    }

    /// When the clock next shows a time of day; a time that the clocks skip comes as much later.
    func next(_ time: TimeOfDay) -> Instant {
        let (now, zone) = contents.withLock { ($0.now, $0.zone) }
        let today = zone.civil(at: now).date
        for days in 0...2 {
            let date = CivilDate(daysSince1970: today.daysSince1970 + days)
            if let instant = zone.occurrence(of: CivilDateTime(date, time))?.instant, instant > now {
                return instant
            }
        }
        return now.advanced(bySeconds: 86_400)
    }

    /// For a clock that runs: does what is due, again and again, until the task is cancelled.
    public func run() async {
        while !Task.isCancelled {
            if contents.withLock({ contents in contents.nextDue.map { $0.instant <= contents.now } ?? false })
            {
                await advance(to: now)
            }
            let wait = contents.withLock { contents in
                contents.nextDue.map { $0.instant.millisecondsSince1970 - contents.now.millisecondsSince1970 }
            }
            // The wait is short: something sooner may be set meanwhile.
            try? await Task.sleep(for: .milliseconds(min(max(wait ?? 200, 1), 200)))
        }
    }

    private func takeDue(until target: Instant) -> PhoneContents.Due? {
        contents.withLock { contents in
            guard let (instant, due) = contents.nextDue, instant <= target else { return nil }
            contents.clock.move(to: instant)
            contents.stamp += 1
            return due
        }
    }

    private func perform(_ due: PhoneContents.Due) async {
        switch due {
        case .wake(let app):
            let (link, state) = contents.withLock { contents in
                contents.slots[app]?.wake = nil
                return (contents.slots[app]?.host.link, contents.slots[app]?.lifecycle.state)
            }
            // In memory, and thousands of times in a simulated year: not worth a change of threads.
            link?.fireDueAndWait()
            await link?.settle()
            // An app that is in front, or whose code was called, may have more to do.
            let isQuiet = contents.withLock { $0.isIdle }
            if !isQuiet || state?.isForeground == true { await settle() }
        case .bannerEnd(let id):
            change { contents in
                contents.log(.bannerGone, app: contents.screen.entry(id)?.app, notification: id)
                contents.screen.hideBanner(id)
            }
        case .grace(let app):
            change { contents in
                contents.slots[app]?.graceEnd = nil
                contents.suspendIfDone(app)
            }
        case .work(let app, let number):
            overtime(app, number)
            await settle()
        case .refresh(let app):
            refresh(app)
            await settle()
        case .sleeper(let number):
            wakeSleeper(number)
            await settle()
        case .liveActivity: change { $0.advanceActivities() }
        case .extensionEnd(let number):
            await expireExtension(number)
            await settle()
        }
    }

    /// An app has used up its time.
    private func overtime(_ app: String, _ number: Int) {
        change { contents in
            guard let work = contents.slots[app]?.works.removeValue(forKey: number) else { return }
            let seconds = contents.policy.workMilliseconds / 1000
            contents.log(
                .fetchExpired, app: app, "\(work.name) was not done in \(seconds) s; the app is terminated")
            contents.apply(.terminated, to: app)
        }
    }

    /// The time for a background refresh has come.
    private func refresh(_ app: String) {
        change { contents in
            guard let slot = contents.slots[app] else { return }
            contents.slots[app]?.refresh = nil
            guard slot.allowsBackgroundRefresh, !contents.isLowPower else {
                contents.log(
                    .dropped, app: app,
                    "background refresh: "
                        + (contents.isLowPower ? "Low Power Mode is on" : "Background App Refresh is off"))
                return
            }
            contents.wake(app, byUser: false, named: "background refresh") { .refresh(work: $0) }
        }
    }

    /// The user lets an app work in the background now, whatever it asked for.
    public func refreshInBackground(_ app: String) async throws(PhoneError) {
        _ = try slot(app)
        refresh(app)
        await settle()
    }

    // MARK: Sleeping apps

    func sleep(milliseconds: Int64, app: String) async throws {
        let number = contents.withLock { $0.number() }
        let ticket = CallbackTicket.current
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let sleeps = contents.withLock { contents in
                    guard milliseconds > 0, !Task.isCancelled else { return false }
                    contents.sleepers[number] = .init(
                        app: app, end: contents.now.advanced(byMilliseconds: milliseconds), ticket: ticket,
                        continuation: continuation)
                    return true
                }
                if sleeps { ticket?.park() } else { continuation.resume() }
            }
        } onCancel: {
            wakeSleeper(number)
        }
        try Task.checkCancellation()
    }

    /// How many tasks of apps wait for the clock.
    var sleeperCount: Int { contents.withLock { $0.sleepers.count } }

    private func wakeSleeper(_ number: Int) {
        let sleeper = change { $0.sleepers.removeValue(forKey: number) }
        sleeper?.ticket?.unpark()
        sleeper?.continuation.resume()
    }
}

extension PhoneContents {
    /// Starts or resumes an app in the background for a piece of work, or lets one that is in front do it.
    ///
    /// - Returns: whether the app could be woken.
    @discardableResult
    mutating func wake(
        _ app: String, byUser: Bool, named name: String, options: LaunchOptions = LaunchOptions(),
        _ handOver: (Int) -> HandOver
    ) -> Bool {
        let work = beginWork(name, of: app)
        guard apply(.woken(byUser: byUser), to: app, handing: handOver(work), options: options) else {
            slots[app]?.works[work] = nil
            return false
        }
        // In front there is no time limit.
        if slots[app]?.lifecycle.state.isForeground == true { slots[app]?.works[work] = nil }
        return true
    }
}
