public import Foundation
internal import Recurrence

/// The device's registration at the push service.
///
/// The app says what the service should know, and the library sees to it: at each launch and whenever something is
/// different, with retries, across the end of the process, and never twice at a time.
///
/// Safe from any thread.
public final class Registration: Sendable {
    private struct Contents {
        var machine: RegistrationMachine
        var streams: [Int: AsyncStream<RegistrationState>.Continuation] = [:]
        var nextStream = 0
        var shown: RegistrationState?
    }

    /// States that a stream keeps for a reader that is late; then the oldest go.
    private static let stateCountMax = 16

    private let client: ServiceClient
    private let surroundings: KitSurroundings
    private let stored: StoredValue<RegistrationMachine.Record>
    private let contents: Guarded<Contents>
    private let loop: WorkLoop
    private let onObjectID: @Sendable () -> Void

    /// - Parameter onObjectID: called after each confirmation, when the service's id of this device is known.
    init(
        client: ServiceClient, surroundings: KitSurroundings, onObjectID: @escaping @Sendable () -> Void = {}
    ) {
        self.client = client
        self.surroundings = surroundings
        self.onObjectID = onObjectID
        loop = WorkLoop(surroundings.platform)
        stored = StoredValue("belfry.registration", in: surroundings.storage)
        let record = stored.load() ?? RegistrationMachine.Record(installationID: Self.newIdentifier())
        contents = Guarded(Contents(machine: RegistrationMachine(record)))
    }

    private static func newIdentifier() -> String { UUID().uuidString.lowercased() }

    // MARK: State

    /// How far the registration has come.
    public var state: RegistrationState { contents.withLock { $0.machine.state } }

    /// The channels the device should have.
    public var channels: Set<String> { contents.withLock { $0.machine.record.channels } }

    /// The attributes the row should have.
    public var attributes: [String: PayloadValue] { contents.withLock { $0.machine.record.attributes } }

    /// How far the registration has come, now and whenever that is different. Every call gives a stream of its own.
    public var states: AsyncStream<RegistrationState> {
        AsyncStream(bufferingPolicy: .bufferingNewest(Self.stateCountMax)) { continuation in
            let number = contents.withLock { contents in
                contents.nextStream += 1
                contents.streams[contents.nextStream] = continuation
                continuation.yield(contents.machine.state)
                return contents.nextStream
            }
            continuation.onTermination = { [weak self] _ in
                self?.contents.withLock { _ = $0.streams.removeValue(forKey: number) }
            }
        }
    }

    // MARK: What the service should know

    /// Sets attributes of the row, beside those it has; null removes one.
    ///
    /// - Throws: `invalidArgument` for a name that is not allowed, `storage` when the device cannot keep it. Nothing is
    ///   changed for the service then.
    public func setAttributes(_ attributes: [String: PayloadValue]) throws(BelfryKitError) {
        for name in attributes.keys { try InstallationCheck.attribute(name) }
        try change { record in
            for (name, value) in attributes { record.attributes[name] = value == .null ? nil : value }
        }
    }

    /// Adds channels.
    ///
    /// - Throws: `invalidArgument` for a name that is not allowed or too many, `storage`.
    public func subscribe(to channels: Set<String>) throws(BelfryKitError) {
        for name in channels { try InstallationCheck.channel(name) }
        let count = self.channels.union(channels).count
        guard count <= InstallationCheck.channelCountMax else {
            throw BelfryKitError(
                code: .invalidArgument,
                message: "channels: found \(count); allowed: \(InstallationCheck.channelCountMax)")
        }
        try change { $0.channels.formUnion(channels) }
    }

    /// Takes channels away; others do nothing.
    ///
    /// - Throws: `storage`.
    public func unsubscribe(from channels: Set<String>) throws(BelfryKitError) {
        try change { $0.channels.subtract(channels) }
    }

    /// A user is there: the row gets these attributes and channels, and loses what another user left.
    ///
    /// - Throws: `invalidArgument` for a name that is not allowed, `storage`.
    public func signIn(
        attributes: [String: PayloadValue] = [:], channels: Set<String> = []
    ) throws(BelfryKitError) {
        for name in attributes.keys { try InstallationCheck.attribute(name) }
        for name in channels { try InstallationCheck.channel(name) }
        contents.withLock {
            $0.machine.signIn(attributes: attributes.filter { $1 != .null }, channels: channels)
        }
        try keep()
        work()
    }

    /// The user is gone: the service keeps nothing of theirs and sends nothing, as soon as it can be reached.
    ///
    /// - Throws: `storage`.
    public func signOut() async throws(BelfryKitError) {
        contents.withLock { $0.machine.signOut() }
        defer { work() }
        try keep()
        await surroundings.platform.unregisterForRemoteNotifications()
    }

    /// The user's own switch: without the wish the row is kept, and nothing is sent to it.
    func setWanted(_ isWanted: Bool) {
        do throws(BelfryKitError) {
            try change { $0.isWanted = isWanted }
        } catch {
            surroundings.report(error)
        }
    }

    private func change(_ body: (inout RegistrationMachine.Record) -> Void) throws(BelfryKitError) {
        contents.withLock { $0.machine.change(body) }
        try keep()
        work()
    }

    // MARK: What happens to the app

    /// The app was launched.
    func launch() {
        let facts = DeviceFacts(surroundings)
        event { $0.launch(facts, newInstallationID: Self.newIdentifier()) }
    }

    /// The app came to the front.
    func activate() {
        let facts = DeviceFacts(surroundings)
        let now = surroundings.time.now
        event { $0.activate(facts, at: now) }
    }

    /// The system gave a token, of any length.
    public func receive(deviceToken: Data) {
        guard !deviceToken.isEmpty else { return }
        let token = hexadecimalDigits(of: deviceToken)
        event { $0.receive(token: token) }
    }

    /// The system gave no token.
    public func fail(_ error: any Error) {
        let fault = RegistrationFault(error)
        let now = surroundings.time.now
        let random = surroundings.random()
        event { $0.fail(fault, at: now, random: random) }
    }

    private func event(_ body: (inout RegistrationMachine) -> Void) {
        contents.withLock { body(&$0.machine) }
        keepOrReport()
        work()
    }

    private func keep() throws(BelfryKitError) {
        try stored.save { contents.withLock { $0.machine.record } }
    }

    private func keepOrReport() {
        do throws(BelfryKitError) {
            try keep()
        } catch {
            surroundings.report(error)
        }
    }

    // MARK: Work

    private func work() {
        show()
        loop.wake { [self] in await step() }
    }

    private func step() async -> WorkLoop.Next {
        let now = surroundings.time.now
        let action = contents.withLock { $0.machine.next(at: now) }
        show()
        switch action {
        case .none: return .done
        case .wait(let instant): return .pause(until: instant)
        case .askForToken: await surroundings.platform.registerForRemoteNotifications()
        case .send(let save): await send(save)
        }
        return .again
    }

    private func send(_ save: RegistrationMachine.Save) async {
        keepOrReport()
        let end = await surroundings.platform.beginBackgroundTask(named: "belfry.registration")
        do throws(ServiceFailure) {
            let answer = try await client.post(save.body, to: "installations", at: surroundings.time.now)
            let now = surroundings.time.now
            contents.withLock { $0.machine.confirm(objectID: answer["objectId"]?.text, at: now) }
        } catch {
            let now = surroundings.time.now
            let random = surroundings.random()
            contents.withLock { $0.machine.fail(error, at: now, random: random) }
        }
        keepOrReport()
        onObjectID()
        await end()
    }

    /// Tells who watches the state of it, when it is different.
    private func show() {
        contents.withLock { contents in
            let state = contents.machine.state
            guard state != contents.shown else { return }
            contents.shown = state
            for stream in contents.streams.values { stream.yield(state) }
        }
    }

    /// Waits until there is nothing to do but to wait: for a token, a moment, or a change. For tests and simulators.
    public func settle() async { await loop.settle() }

    /// When the next attempt is due; nil when none waits for a moment.
    var nextAttempt: Instant? { loop.pauseEnd }
}
