internal import Dispatch
internal import Foundation
package import Recurrence
internal import Synchronization

/// Runs a centre's machine: one event after another on a queue, and the actions of each before the next one.
///
/// The state is saved when nothing more is waiting, or after ``eventsPerSaveMax`` events; completion handlers are held
/// back until then. So a thousand requests that are added at once are written a few times, and what an app was told to
/// be done is on the disk.
///
/// Completion handlers are called on a second queue, in order, so that one that waits does not hold up the centre.
/// The delegate is called on the main actor, where iOS calls it.
package final class NotificationService: Sendable {
    package let host: any NotificationHost

    private struct Contents {
        var machine: NotificationCenterMachine
        var wake: Instant?
        /// Who waits for the answer to the prompt; nil when it is not shown.
        var prompted: [@Sendable (Bool) -> Void]?
        var hasAttachments: Bool
        var isUnsaved = false
        var eventsSinceSave = 0
        /// What waits for the state to be saved.
        var heldBack: [@Sendable () -> Void] = []
    }

    /// After how many events the state is saved although more are waiting.
    static let eventsPerSaveMax = 256

    private let contents: Mutex<Contents>
    private let queue = DispatchQueue(label: "belfry.notifications")
    private let callouts = DispatchQueue(label: "belfry.notifications.callouts")
    private let work = WorkCounter()
    /// Events that are on the queue and not begun.
    private let waiting = Atomic<Int>(0)
    private let attachments: AttachmentStore
    private let center = Mutex(WeakCenter())

    private struct WeakCenter {
        weak var center: UNUserNotificationCenter?
    }

    init(host: any NotificationHost) {
        self.host = host
        let state = host.load() ?? NotificationState()
        attachments = AttachmentStore(directory: host.attachmentDirectory)
        let paths = state.attachmentPaths
        attachments.sweep(keeping: paths)
        contents = Mutex(
            Contents(machine: NotificationCenterMachine(state: state), hasAttachments: !paths.isEmpty))
    }

    /// Begins to work for a centre, with what was pending before a restart.
    func start(for center: UNUserNotificationCenter) {
        self.center.withLock { $0.center = center }
        host.start(NotificationHostLink(service: self))
        let badge = state.badge
        // The screen's memory may be shorter than ours.
        if badge > 0 { submit { [self] in host.setBadge(badge) } }
        reschedule()
    }

    package var context: TriggerContext {
        TriggerContext(
            now: host.now, zone: host.zone, calendar: TriggerCalendar(host.calendarIdentifier),
            policy: host.policy)
    }

    /// The state of the moment; what was asked for and is not done yet is not in it.
    package var state: NotificationState { contents.withLock { $0.machine.state } }

    /// When the next pending request is due.
    package var nextWake: Instant? { contents.withLock { $0.machine.nextWake } }

    package func settle() async { await work.settled() }

    func park() { work.park() }
    func unpark() { work.unpark() }
    func parkAll() { work.parkAll() }
    var begunCount: Int { work.begunCount }

    // MARK: Queue

    /// Does something after everything that was asked for before.
    func submit(_ body: @escaping @Sendable () -> Void) {
        work.begin()
        waiting.add(1, ordering: .relaxed)
        queue.async { [self] in
            run(body)
            work.end()
        }
    }

    /// The same, done when this returns: no change of threads where nothing else is going on.
    private func submitAndWait(_ body: @Sendable () -> Void) {
        work.begin()
        waiting.add(1, ordering: .relaxed)
        queue.sync { run(body) }
        work.end()
    }

    private func run(_ body: () -> Void) {
        let isLast = waiting.subtract(1, ordering: .relaxed).newValue == 0
        body()
        let isFull = contents.withLock { contents in
            max(contents.eventsSinceSave, contents.heldBack.count) >= Self.eventsPerSaveMax
        }
        if isLast || isFull { save() }
    }

    /// Calls the app, after everything that it was called with before, and with the state saved; on the queue only.
    func callOut(_ body: @escaping @Sendable () -> Void) {
        work.begin()
        afterSaving { [self] in
            callouts.async { [self] in
                NotificationScope.$center.withValue(center.withLock { $0.center }) { body() }
                work.end()
            }
        }
    }

    /// Keeps a new moment; tells whether it is another one.
    private static func isChanged(_ kept: inout Instant?, to new: Instant?) -> Bool {
        defer { kept = new }
        return kept != new
    }

    private func afterSaving(_ body: @escaping @Sendable () -> Void) {
        contents.withLock { $0.heldBack.append(body) }
    }

    private func save() {
        dispatchPrecondition(condition: .onQueue(queue))
        let (state, heldBack) = contents.withLock {
            contents -> (NotificationState?, [@Sendable () -> Void]) in
            defer {
                contents.isUnsaved = false
                contents.eventsSinceSave = 0
                contents.heldBack = []
            }
            return (contents.isUnsaved ? contents.machine.state : nil, contents.heldBack)
        }
        if let state {
            host.save(state)
            let wake = nextWake
            if contents.withLock({ Self.isChanged(&$0.wake, to: wake) }) { host.wake(at: wake) }
            // Not before the state that no longer names them is saved.
            sweep(state)
        }
        for body in heldBack { body() }
    }

    /// Gives an event to the machine and does what it says, on the queue only.
    @discardableResult
    func apply<Value: Sendable>(
        _ event: (inout NotificationCenterMachine) -> (Value, [NotificationCenterAction])
    ) -> Value {
        dispatchPrecondition(condition: .onQueue(queue))
        let outcome = contents.withLock { contents -> Outcome<Value> in
            let (value, actions) = event(&contents.machine)
            contents.isUnsaved = true
            contents.eventsSinceSave += 1
            return Outcome(value: value, actions: actions)
        }
        for action in outcome.actions { perform(action) }
        return outcome.value
    }

    private struct Outcome<Value: Sendable>: Sendable {
        var value: Value
        var actions: [NotificationCenterAction]
    }

    /// The state after everything that was asked for before, on the queue only.
    func currentState() -> NotificationState {
        dispatchPrecondition(condition: .onQueue(queue))
        return contents.withLock { contents in
            contents.machine.endEphemeral(at: host.now)
            return contents.machine.state
        }
    }

    private func perform(_ action: NotificationCenterAction) {
        switch action {
        case .ask(let notification): ask(notification)
        case .show(let notification, let presentation):
            let category = contents.withLock {
                $0.machine.state.categories[notification.request.content.categoryIdentifier]
            }
            host.show(
                UNNotification(record: notification),
                category: category.map { UNNotificationCategory(record: $0) },
                presentation: withSound(presentation, of: notification))
        case .withdraw(let identifiers): host.withdraw(identifiers)
        case .setBadge(let count): host.setBadge(count)
        case .diagnose(let message): host.diagnose(message)
        }
    }

    /// Adds the file of a named sound; without one that can be played the system's sound is, and the developer is told.
    private func withSound(
        _ presentation: NotificationPresentation, of notification: NotificationRecord
    ) -> NotificationPresentation {
        guard presentation.playsSound, let name = notification.request.content.sound?.name,
            let directories = host.soundDirectories
        else { return presentation }
        var presentation = presentation
        do throws(SoundFault) {
            presentation.soundPath = try SoundLibrary(directories: directories).path(of: name)
        } catch {
            host.diagnose(
                "notification '\(notification.identifier)' plays the default sound: '\(name)' \(error)")
        }
        return presentation
    }

    private func sweep(_ state: NotificationState) {
        guard contents.withLock({ $0.hasAttachments && $0.machine.asked.isEmpty }) else { return }
        let paths = state.attachmentPaths
        attachments.sweep(keeping: paths)
        if paths.isEmpty { contents.withLock { $0.hasAttachments = false } }
    }

    // MARK: Events

    func add(_ request: RequestRecord, completion: (@Sendable ((any Error)?) -> Void)?) {
        submit { [self] in
            var request = request
            var failure: UNError?
            if !request.content.attachments.isEmpty, contents.withLock({ $0.machine.mayNotify }) {
                do throws(UNError) {
                    request.content.attachments = try attachments.take(request.content.attachments)
                    contents.withLock { $0.hasAttachments = true }
                } catch {
                    failure = error
                }
            }
            if failure == nil {
                failure = apply { machine in
                    let result = machine.add(request, in: context, surroundings: host.surroundings)
                    return (result.error.map { UNError($0) }, result.actions)
                }
            }
            if let completion { callOut { [failure] in completion(failure) } }
        }
    }

    package func fireDue() { submit { [self] in fireOnQueue() } }

    /// The same, done when this returns, except what the app is asked.
    package func fireDueAndWait() { submitAndWait { fireOnQueue() } }

    private func fireOnQueue() {
        apply { ((), $0.fire(in: context, surroundings: host.surroundings)) }
    }

    package func reschedule() {
        submit { [self] in
            apply { machine in
                machine.reschedule(in: context)
                return ((), machine.fire(in: context, surroundings: host.surroundings))
            }
        }
    }

    /// The app sets the older badge property of `UIApplication`.
    package func setApplicationIconBadgeNumber(_ number: Int) {
        submit { [self] in
            apply { ((), $0.setApplicationIconBadgeNumber(number)) }
        }
    }

    /// A visible remote notification arrives, with the files that its service extension has added.
    ///
    /// A file that cannot be shown is left out: there is nobody to tell, and a notification without its picture is better
    /// than none.
    package func receive(_ request: RequestRecord) {
        submit { [self] in
            var request = request
            if !request.content.attachments.isEmpty, contents.withLock({ $0.machine.mayNotify }) {
                do throws(UNError) {
                    request.content.attachments = try attachments.take(request.content.attachments)
                    contents.withLock { $0.hasAttachments = true }
                } catch {
                    request.content.attachments = []
                    host.diagnose(
                        "notification '\(request.identifier)' is shown without its attachments: "
                            + error.localizedDescription)
                }
            }
            apply { machine in
                let actions = machine.receive(
                    request, at: host.now, surroundings: host.surroundings, policy: host.policy)
                return ((), actions)
            }
        }
    }

    /// The device crosses the border of a region.
    package func cross(region identifier: String, isEntry: Bool) {
        submit { [self] in
            apply { machine in
                (
                    (),
                    machine.cross(
                        region: identifier, isEntry: isEntry, in: context, surroundings: host.surroundings)
                )
            }
        }
    }

    /// The user changes something that has no answer.
    package func change(_ event: @escaping @Sendable (inout NotificationCenterMachine) -> Void) {
        submit { [self] in
            apply { machine in
                event(&machine)
                return ((), [])
            }
        }
    }

    func requestAuthorization(
        _ options: UNAuthorizationOptions, completion: @escaping @Sendable (Bool) -> Void
    ) {
        submit { [self] in
            let step = apply { ($0.requestAuthorization(options, policy: host.policy), []) }
            guard step == .prompt else {
                if case .answer(let isGranted) = step { callOut { completion(isGranted) } }
                return
            }
            let isFirst = contents.withLock { contents in
                let isFirst = contents.prompted == nil
                contents.prompted = (contents.prompted ?? []) + [completion]
                return isFirst
            }
            if isFirst { prompt(options) }
        }
    }

    private func prompt(_ options: UNAuthorizationOptions) {
        work.begin()
        // Ends when the host has the user's answer; nothing cancels a question on the screen.
        Task { [self] in
            let isAllowed = await host.askPermission(options)
            submit { [self] in
                apply { machine in
                    machine.answerPrompt(
                        isAllowed: isAllowed, options: options, surroundings: host.surroundings,
                        policy: host.policy)
                    return ((), [])
                }
                let waiting = contents.withLock { contents in
                    defer { contents.prompted = nil }
                    return contents.prompted ?? []
                }
                for completion in waiting { callOut { completion(isAllowed) } }
            }
            work.end()
        }
    }

    // MARK: Delegate

    private func ask(_ notification: NotificationRecord) {
        work.begin()
        // Ends when the delegate answers; a completion handler that is thrown away answers, too.
        Task { @MainActor [self] in
            let options = await options(for: notification)
            submit { [self] in
                apply { machine in
                    ((), machine.present(notification, options: options, surroundings: host.surroundings))
                }
            }
            work.end()
        }
    }

    @MainActor
    private func options(for notification: NotificationRecord) async -> UNNotificationPresentationOptions {
        let center = center.withLock { $0.center }
        guard let center, let delegate = center.delegate else {
            return host.policy.withoutDelegate == .shows ? [.banner, .list, .sound, .badge] : []
        }
        return await NotificationScope.$center.withValue(center) {
            await DelegateCall(delegate).present(UNNotification(record: notification), in: center)
        }
    }

    /// The user acts on a notification.
    package func respond(
        to identifier: String, with gesture: NotificationCenterMachine.Gesture,
        banner: NotificationRecord? = nil
    ) {
        submit { [self] in
            let response = apply { machine in
                let result = machine.respond(to: identifier, with: gesture, banner: banner)
                return (result.response, result.actions)
            }
            if let response { deliver(response) }
        }
    }

    /// Makes the response to a gesture without giving it to the app, which may have to be started first.
    package func takeResponse(
        to identifier: String, with gesture: NotificationCenterMachine.Gesture,
        banner: NotificationRecord? = nil
    ) async -> ResponseRecord? {
        await withCheckedContinuation { continuation in
            submit { [self] in
                let response = apply { machine in
                    let result = machine.respond(to: identifier, with: gesture, banner: banner)
                    return (result.response, result.actions)
                }
                afterSaving { continuation.resume(returning: response) }
            }
        }
    }

    /// Gives the app a response.
    package func deliver(_ response: ResponseRecord) {
        callDelegate { center, delegate in
            await delegate.receive(UNNotificationResponse.make(response), in: center)
        }
    }

    /// The user follows the link of Settings to the app's own settings.
    package func openSettings(for notification: NotificationRecord?) {
        callDelegate { center, delegate in
            delegate.openSettings(for: notification.map { UNNotification(record: $0) }, in: center)
        }
    }

    private func callDelegate(
        _ body:
            @escaping @MainActor (UNUserNotificationCenter, DelegateCall) async ->
            Void
    ) {
        work.begin()
        // Ends when the delegate does.
        Task { @MainActor [self] in
            let center = center.withLock { $0.center }
            if let center, let delegate = center.delegate {
                await NotificationScope.$center.withValue(center) {
                    await body(center, DelegateCall(delegate))
                }
            } else {
                host.diagnose(
                    "a response is lost: the centre has no delegate; set it before the app has finished launching"
                )
            }
            work.end()
        }
    }
}
