internal import UserNotifications
internal import Synchronization

extension VirtualPhone {
    /// Does what is queued, in order.
    @MainActor
    func drain() async {
        while let step = nextStep() { await perform(step) }
        wakeWaiters()
    }

    private nonisolated func nextStep() -> PhoneStep? {
        contents.withLock { contents in
            contents.stamp += 1
            guard !contents.steps.isEmpty else {
                contents.isDraining = false
                return nil
            }
            return contents.steps.removeFirst()
        }
    }

    @MainActor
    private func perform(_ step: PhoneStep) async {
        switch step {
        case .start(let app, let state): start(app, state)
        case .call(let app, let callback, let state, let work):
            begin(callback, of: app, state, work: work)
        case .respond(let app, let response, let state, let work):
            await respond(response, of: app, state, work: work)
        case .end(let app): end(app)
        }
    }

    @MainActor
    private func start(_ app: String, _ state: ApplicationState) {
        let slot = contents.withLock { $0.slots[app] }
        guard let slot, let center = slot.center else { return }
        let application = Application(
            manifest: slot.manifest, storage: slot.storage, center: center, phone: self, state: state)
        let made = UNUserNotificationCenter.withCurrent(center) { slot.make() }
        processes.processes[app] = .init(app: made, application: application)
    }

    /// Calls the app.
    ///
    /// What comes before its first suspension has run when this returns; the rest is a ticket.
    @MainActor
    private func begin(_ callback: AppCallback, of app: String, _ state: ApplicationState, work: Int?) {
        guard let process = processes.processes[app] else {
            if let work { change { $0.endWork(work, of: app) } }
            return
        }
        process.application.setState(state)
        let ticket = ticket(for: app)
        if case .lifecycle = callback {} else { change { $0.log(.called, app: app, callback.name) } }
        CallbackTicket.$current.withValue(ticket) {
            UNUserNotificationCenter.withCurrent(process.application.userNotificationCenter) {
                // Ends with the app's function; one that never ends is given up by `settle`.
                _ = Task.immediate { @MainActor in
                    let result = await callback.run(process.app, process.application)
                    finish(ticket, callback, result, work: work)
                }
            }
        }
        // A callback sees its own state; what the app asks between callbacks is where it is now.
        let now = contents.withLock { $0.slots[app]?.lifecycle.state }
        if contents.withLock({ !$0.steps.contains { $0.app == app } }), let now {
            process.application.setState(now.applicationState)
        }
    }

    private nonisolated func finish(
        _ ticket: CallbackTicket, _ callback: AppCallback, _ result: BackgroundFetchResult?, work: Int?
    ) {
        change { contents in
            contents.tickets[ticket.number] = nil
            // A handler that was thrown away is no answer: the app's time runs on.
            guard !ticket.isAbandoned else { return }
            if let result { contents.log(.fetched, app: ticket.app, "\(result)") }
            if case .backgroundRefresh = callback { contents.log(.refreshed, app: ticket.app) }
            if case .didReceiveIncomingPush = callback { contents.concludeCall(of: ticket.app) }
            if let work { contents.endWork(work, of: ticket.app) }
        }
    }

    /// A new call of an app that somebody may have to wait for.
    nonisolated func ticket(for app: String) -> CallbackTicket {
        contents.withLock { contents in
            let ticket = CallbackTicket(number: contents.number(), app: app) { [weak self] in
                self?.wakeWaiters()
            }
            contents.tickets[ticket.number] = ticket
            return ticket
        }
    }

    /// The work that a ticket stands for is over.
    nonisolated func end(_ ticket: CallbackTicket) { change { $0.tickets[ticket.number] = nil } }

    @MainActor
    private func respond(
        _ response: ResponseRecord, of app: String, _ state: ApplicationState, work: Int?
    ) async {
        let center = contents.withLock { $0.slots[app]?.center }
        processes.processes[app]?.application.setState(state)
        if let center {
            center.service.deliver(response)
            await center.service.settle()
        }
        if let work { change { $0.endWork(work, of: app) } }
    }

    @MainActor
    private func end(_ app: String) {
        let process = processes.processes.removeValue(forKey: app)
        process?.application.end()
        process?.application.userNotificationCenter.delegate = nil
        let sleepers = contents.withLock { contents in
            contents.tickets = contents.tickets.filter { $0.value.app != app || $0.value.isExtension }
            let sleepers = contents.sleepers.filter { $0.value.app == app }
            for number in sleepers.keys { contents.sleepers[number] = nil }
            return sleepers.values
        }
        for sleeper in sleepers { sleeper.continuation.resume() }
    }
}

extension PhoneStep {
    var app: String {
        switch self {
        case .start(let app, _), .call(let app, _, _, _), .respond(let app, _, _, _), .end(let app): app
        }
    }
}

extension AppState {
    var applicationState: ApplicationState {
        switch self {
        case .active: .active
        case .inactive: .inactive
        default: .background
        }
    }
}
