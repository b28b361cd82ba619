internal import Recurrence

/// What the push service should know of this device, what it knows, and what to do next.
///
/// One wanted state is kept and no list of requests: however often it changes, what is sent is the newest. A number, the
/// revision, grows with every change; the service knows the revision that it confirmed last.
///
///     launch ──▶ askForToken ──▶ (token) ──▶ send ──▶ confirmed
///                  ▲    └─(fault)─▶ wait ─┘     └─(fault)─▶ wait ──▶ send
struct RegistrationMachine: Sendable {
    /// What survives the process. It is kept before anything is sent that depends on it.
    struct Record: Hashable, Sendable, Codable {
        var installationID: String
        var facts: DeviceFacts?
        var objectID: String?
        var token: String?
        var isSignedOut = false
        /// Whether the user wants pushes at all.
        var isWanted = true
        var channels: Set<String> = []
        var attributes: [String: PayloadValue] = [:]
        /// Attributes that the service's row may have: of these, what is not wanted any more is deleted there.
        var serverKeys: Set<String> = []
        var revision = 0
        var confirmedRevision = -1
        var confirmedAtMilliseconds: Int64?
    }

    /// One request.
    struct Save: Hashable, Sendable {
        var revision: Int
        var token: String
        var body: PayloadValue
    }

    enum Action: Hashable, Sendable {
        /// Ask the system for a token.
        case askForToken
        case send(Save)
        case wait(until: Instant)
        case none
    }

    /// How old a confirmation may get while the app is in use, in seconds. The service forgets rows after 90 days
    /// without one (LeanCloud: push guide).
    static let confirmationSecondsMax: Int64 = 86_400

    private(set) var record: Record
    private var tokenFault: RegistrationFault?
    private var serviceFault: RegistrationFault?
    private var wantsToken = false
    private var isTokenConfirmed = false
    /// The service has to hear of this launch.
    private var isConfirmationDue = false
    private var sending: Save?
    private var delay = RetryDelay()
    private var notBefore: Instant?
    private var tokenDelay = RetryDelay()
    private var tokenNotBefore: Instant?
    /// The revision that the service refused; sending it again would not help.
    private var refusedRevision: Int?

    init(_ record: Record) {
        self.record = record
    }

    var state: RegistrationState {
        RegistrationState(
            deviceToken: record.token, objectID: record.objectID,
            isPending: record.revision != record.confirmedRevision || isConfirmationDue,
            isSignedOut: record.isSignedOut, fault: tokenFault ?? serviceFault)
    }

    // MARK: Events

    /// The app was launched.
    ///
    /// - Parameter newInstallationID: used when what was kept belongs to another device, of which this one got a backup.
    mutating func launch(_ facts: DeviceFacts, newInstallationID: @autoclosure () -> String) {
        if let old = record.facts?.deviceIdentifier, let new = facts.deviceIdentifier, old != new {
            record.installationID = newInstallationID()
            record.objectID = nil
            record.token = nil
            record.serverKeys = []
            record.revision += 1
        }
        update(facts)
        wantsToken = !record.isSignedOut
        isConfirmationDue = !record.isSignedOut
        refusedRevision = nil
    }

    /// The app came to the front: zone or language may be others, and what waited for a network is tried.
    mutating func activate(_ facts: DeviceFacts, at now: Instant) {
        update(facts)
        notBefore = nil
        tokenNotBefore = nil
        if record.isSignedOut { return }
        let age = record.confirmedAtMilliseconds.map { now.millisecondsSince1970 - $0 }
        if let age, age >= Self.confirmationSecondsMax * 1000 || age < 0 { isConfirmationDue = true }
    }

    private mutating func update(_ facts: DeviceFacts) {
        guard facts != record.facts else { return }
        record.facts = facts
        record.revision += 1
    }

    /// The system gave a token.
    mutating func receive(token: String) {
        tokenDelay.reset()
        tokenNotBefore = nil
        wantsToken = false
        isTokenConfirmed = true
        tokenFault = nil
        guard token != record.token else { return }
        record.token = token
        // After signing out the row says "never send", whatever its token.
        if !record.isSignedOut { record.revision += 1 }
    }

    /// The system gave no token.
    mutating func fail(_ fault: RegistrationFault, at now: Instant, random: Double) {
        tokenFault = fault
        guard fault.isRetried, !record.isSignedOut else {
            wantsToken = false
            return
        }
        wantsToken = true
        tokenNotBefore = tokenDelay.next(after: now, random: random)
    }

    /// The app changes what the service should know.
    mutating func change(_ body: (inout Record) -> Void) {
        let old = record
        body(&record)
        guard record != old else { return }
        record.revision += 1
        // A change is tried at once, unless the service asked to wait.
        refusedRevision = nil
    }

    /// Nobody is signed in any more: the row keeps nothing of the user, and gets nothing.
    mutating func signOut() {
        change { record in
            record.isSignedOut = true
            record.channels = []
            record.attributes = [:]
        }
        wantsToken = false
        tokenFault = nil
        isConfirmationDue = false
        if record.token == nil { record.confirmedRevision = record.revision }
    }

    /// Somebody is signed in: nothing of the user before stays.
    mutating func signIn(attributes: [String: PayloadValue], channels: Set<String>) {
        let wasSignedOut = record.isSignedOut
        change { record in
            record.isSignedOut = false
            record.attributes = attributes
            record.channels = channels
        }
        if wasSignedOut {
            wantsToken = true
            isTokenConfirmed = false
        }
    }

    // MARK: Actions

    /// What to do now. The record has to be kept before it is done.
    mutating func next(at now: Instant) -> Action {
        guard sending == nil else { return .none }
        var wake: Instant?
        if wantsToken {
            if let tokenNotBefore, tokenNotBefore > now {
                wake = tokenNotBefore
            } else {
                wantsToken = false
                return .askForToken
            }
        }
        if let token = record.token, needsSending {
            if let notBefore, notBefore > now {
                wake = min(wake ?? notBefore, notBefore)
            } else {
                record.serverKeys.formUnion(record.attributes.keys)
                let save = Save(revision: record.revision, token: token, body: body(token: token))
                sending = save
                return .send(save)
            }
        }
        return wake.map { .wait(until: $0) } ?? .none
    }

    private var needsSending: Bool {
        if refusedRevision == record.revision { return false }
        if record.revision != record.confirmedRevision { return true }
        return isConfirmationDue && isTokenConfirmed
    }

    private func body(token: String) -> PayloadValue {
        var fields = record.facts?.fields ?? [:]
        fields["installationId"] = .string(record.installationID)
        fields["deviceToken"] = .string(token)
        fields["channels"] = .array(record.channels.sorted().map(PayloadValue.string))
        fields["valid"] = .bool(!record.isSignedOut && record.isWanted)
        for key in record.serverKeys { fields[key] = ["__op": "Delete"] }
        fields.merge(record.attributes) { _, wanted in wanted }
        return .object(fields)
    }

    /// The service confirmed what was sent.
    mutating func confirm(objectID: String?, at now: Instant) {
        guard let save = sending else { return }
        sending = nil
        delay.reset()
        notBefore = nil
        serviceFault = nil
        isConfirmationDue = isConfirmationDue && save.token != record.token
        record.confirmedRevision = save.revision
        record.confirmedAtMilliseconds = now.millisecondsSince1970
        if let objectID { record.objectID = objectID }
        if save.revision == record.revision { record.serverKeys = Set(record.attributes.keys) }
    }

    /// What was sent did not arrive, or the service refused it.
    mutating func fail(_ failure: ServiceFailure, at now: Instant, random: Double) {
        guard let save = sending else { return }
        sending = nil
        serviceFault = RegistrationFault(failure)
        if failure.isWorthRetrying {
            notBefore = delay.next(after: now, random: random, floorSeconds: failure.retryAfterSeconds)
        } else {
            refusedRevision = save.revision
        }
    }
}
