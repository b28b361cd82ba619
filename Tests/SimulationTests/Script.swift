import APNs
import PushStore
import Recurrence

/// What people, phones and machines do in a simulation: made by its seed, played as time goes on.
///
/// Touched by the simulation's thread alone.
final class Script {
    /// A phone with the app on it.
    struct Phone {
        var row: Installation
        var token: DeviceToken
        var installationID: String
        var isInChannel: Bool
        var isSandbox: Bool
        /// Whether nothing has happened to it since it was added: every push has to reach it.
        var isStable = true
    }

    /// A push that was accepted.
    struct Accepted {
        var push: Push
        var isToChannel: Bool
        var isToTokens: Bool
        /// The phones it is for, by the numbers of their rows.
        var phones: [Int64]
        var hasLifetime: Bool
    }

    static let channel = "even"
    /// What pushes are like.
    private static let kinds =
        [
            "later", "later", "schedule", "schedule", "local", "paced", "paced", "short", "short", "tokens",
            "badge",
            "background",
        ] + Array(repeating: "plain", count: 8)
    static let zones = ["UTC", "Asia/Shanghai", "America/New_York", "Asia/Kathmandu"]

    private unowned let simulation: Simulation
    private(set) var app: App?
    private(set) var phones: [Phone] = []
    private(set) var accepted: [Accepted] = []
    /// When the script is over whatever is left to do, in microseconds.
    let end: Int64

    init(_ simulation: Simulation) {
        self.simulation = simulation
        end = simulation.scenario.seconds * 1_000_000 + 1_800_000_000
    }

    private var scenario: Scenario { simulation.scenario }
    private var now: Instant { simulation.wallTime(of: nil) }
    private var appNumber: Int64 { app?.number ?? 0 }

    private func time(within seconds: Int64) -> Int64 {
        simulation.random.time(0...max(1, seconds * 1_000_000))
    }

    func setUp() {
        let (key, now) = (simulation.signingKey(), now)
        var settings = AppSettings()
        settings.frequencyCap = scenario.frequencyCap
        settings.quietHours = scenario.quietHours
        let chosen = settings
        app = simulation.perform("an app is made") { store in
            var app = try await store.createApp(
                id: "news", name: "News", topic: "com.example.news", appKey: "app-key-0123456789",
                masterKey: "master-key-0123456789", now: now)
            app.settings = chosen
            try await store.updateApp(app, now: now)
            _ = try await store.addCredential(
                PushCredential(
                    secret: .key(p8: key, keyID: "KEYKEYKEY1", teamID: "TEAMTEAM01"),
                    environments: [.production, .sandbox], teamID: "TEAMTEAM01", createdAt: now),
                app: app.number)
            return app
        }
        for _ in 0..<scenario.phoneCount { addPhone() }
        for machine in 0..<scenario.machineCount { simulation.startNode("machine-\(machine)") }
        for number in 0..<scenario.pushCount {
            simulation.schedule(number == 0 ? 1_000 : time(within: scenario.seconds)) { [self] in push() }
        }
        for fault in scenario.faults {
            plan { [self] in strike(fault) }
        }
        for _ in 0..<scenario.weatherCount { plan { [self] in changeWeather() } }
        for _ in 0..<scenario.operationCount { plan { [self] in operate() } }
        for _ in 0..<scenario.phoneChangeCount { plan { [self] in changePhone() } }
    }

    /// Lets something happen: at a time, or in the middle of work.
    private func plan(_ action: @escaping () -> Void) {
        if simulation.random.isTrue(perMille: 250) {
            simulation.schedule(time(within: scenario.seconds), action)
        } else {
            simulation.arm(after: simulation.random.between(1...40), action)
        }
    }

    // MARK: - Phones

    private func addPhone() {
        let number = phones.count
        let id = "phone-\(number)"
        let token = Self.token(number, 0)
        let isInChannel = simulation.random.isTrue(perMille: 500)
        var body: [String: JSONValue] = [
            "deviceToken": .string(token.hexString), "deviceType": "ios", "installationId": .string(id),
            "timeZone": .string(simulation.random.element(of: Self.zones)),
        ]
        if isInChannel { body["channels"] = [.string(Self.channel)] }
        let isSandbox = simulation.random.isTrue(perMille: scenario.sandboxPerMille)
        simulation.network.devices[token] = SimulatedAPNs.Device(
            environment: isSandbox ? .sandbox : .production)
        guard let row = save(body, "\(id) is added") else { return }
        phones.append(
            Phone(row: row, token: token, installationID: id, isInChannel: isInChannel, isSandbox: isSandbox))
    }

    private static func token(_ phone: Int, _ generation: Int) -> DeviceToken {
        let digits = String(phone * 100 + generation + 1)
        let hex = String(repeating: "a", count: 64 - digits.count) + digits
        guard let token = try? DeviceToken(hex: hex) else { preconditionFailure("64 digits are a token") }
        return token
    }

    private func save(_ body: [String: JSONValue], _ name: String) -> Installation? {
        let (now, number) = (now, appNumber)
        return simulation.perform(name) { store in
            try await store.save(
                InstallationChange(target: .matching, body: body), app: number, now: now
            ).installation
        }
    }

    private func changePhone() {
        guard !phones.isEmpty else { return }
        let index = simulation.random.below(phones.count)
        let phone = phones[index]
        let (now, number, id) = (now, appNumber, phone.row.objectID)
        switch simulation.random.below(5) {
        case 0:
            phones[index].isStable = false
            simulation.network.devices[phone.token]?.goneAt = now.millisecondsSince1970
            simulation.trace(nil, "\(phone.installationID) removes the app")
        case 1:
            phones[index].isStable = false
            let token = Self.token(index, simulation.random.between(1...90))
            simulation.network.devices[phone.token]?.goneAt = now.millisecondsSince1970
            simulation.network.devices[token] = SimulatedAPNs.Device(
                environment: phone.isSandbox ? .sandbox : .production)
            phones[index].token = token
            _ = save(
                [
                    "deviceToken": .string(token.hexString), "deviceType": "ios",
                    "installationId": .string(phone.installationID),
                ], "\(phone.installationID) has a new token")
        case 2:
            phones[index].isStable = false
            _ = simulation.perform("\(phone.installationID) is deleted") { store in
                try await store.deleteInstallation(objectID: id, condition: nil, app: number, now: now)
            }
        case 3:
            // Whoever moves is reached all the same, and once.
            phones[index].isStable = false
            _ = save(
                [
                    "deviceToken": .string(phone.token.hexString), "deviceType": "ios",
                    "installationId": .string(phone.installationID),
                    "timeZone": .string(simulation.random.element(of: Self.zones)),
                ], "\(phone.installationID) moves")
        default: addPhone()
        }
    }

    // MARK: - Pushes

    private func push() {
        guard let app else { return }
        var request = PushRequest(data: ["alert": "hello"])
        request.requestID = "request-\(accepted.count)"
        var hasLifetime = false
        let isToChannel = simulation.random.isTrue(perMille: 250)
        if isToChannel { request.channels = [Self.channel] }
        var isToTokens = false
        let kind = simulation.random.element(of: Self.kinds)
        switch kind {
        case "later": request.time = .at(now.advanced(bySeconds: simulation.random.time(1...3_600)))
        case "schedule":
            request.schedule = PushSchedule(
                rule: "FREQ=MINUTELY;INTERVAL=\(simulation.random.between(1...30))", zone: .named("UTC"),
                count: simulation.random.between(1...3))
        case "local":
            request.time = .local(
                Zone.utc.civil(at: now.advanced(bySeconds: simulation.random.time(-7_200...36_000))))
            request.lateMinutesMax = simulation.random.element(of: [60, 240])
        case "paced": request.devicesPerSecondMax = simulation.random.between(1...40)
        case "short":
            request.lifetime = .seconds(simulation.random.time(1...60))
            hasLifetime = true
        case "tokens" where !isToChannel:
            request.deviceTokens = phones.map(\.token.hexString)
            isToTokens = true
        case "badge": request.badgeIncrement = 1
        case "background": request.data = ["content-available": 1]
        default: break
        }
        request.ignoresFrequencyCap = simulation.random.isTrue(perMille: 300)
        let (wanted, now) = (request, now)
        guard
            let made = simulation.perform(
                "push \(accepted.count + 1) is accepted: \(kind)",
                { store in
                    try await store.createPush(wanted, app: app, now: now)
                })
        else { return }
        if !made.isNew { simulation.fail("a new push is taken for an old one") }
        // A client that heard nothing asks again.
        if simulation.random.isTrue(perMille: 200) {
            let again = simulation.perform("the push is asked for again") { store in
                try await store.createPush(wanted, app: app, now: now)
            }
            if again?.push.number != made.push.number { simulation.fail("a push was made twice") }
        }
        accepted.append(
            Accepted(
                push: made.push, isToChannel: isToChannel, isToTokens: isToTokens,
                phones: phones.filter { !isToChannel || $0.isInChannel }.map(\.row.number),
                hasLifetime: hasLifetime))
    }

    private func operate() {
        guard !accepted.isEmpty else { return }
        let push = simulation.random.element(of: accepted).push
        switch simulation.random.below(3) {
        case 0: set(.cancelled, push)
        default:
            set(.paused, push)
            simulation.schedule(time(within: Int64(simulation.random.element(of: [1, 90])))) { [self] in
                set(.running, push)
            }
        }
    }

    private func set(_ state: Push.State, _ push: Push) {
        let (now, number) = (now, appNumber)
        _ = simulation.perform("push \(push.number) is to be \(state)") { store in
            try await store.setState(state, push: push.objectID, app: number, now: now)
        }
        if state == .paused { simulation.observer.mirror.pausedByHand(push.number) }
    }

    // MARK: - Faults

    private func strike(_ fault: Scenario.Fault) {
        if fault == .jump {
            return simulation.jump(Int64(simulation.random.element(of: [5_000, 61_000, 3_600_000])))
        }
        let running = simulation.nodes.filter { $0.isAlive && !$0.isStalled && !$0.isEnding }
        guard !running.isEmpty else { return }
        let node = simulation.random.element(of: running)
        let rest = simulation.random.element(of: [1_000, 1_000_000, 90_000_000])
        switch fault {
        case .crash:
            simulation.kill(node)
            simulation.schedule(Int64(rest)) { [self] in restart(node.owner) }
        case .stall:
            simulation.stall(
                node,
                for: Int64(simulation.random.element(of: [500_000, 49_000_000, 65_000_000, 200_000_000])))
        case .restart:
            simulation.trace(node, "is asked to end")
            node.isEnding = true
            node.whenEnded = { [self] in simulation.schedule(Int64(rest)) { [self] in restart(node.owner) } }
            node.task?.cancel()
        case .jump: break
        }
    }

    private func restart(_ owner: String) {
        guard !simulation.nodes.contains(where: { $0.owner == owner }) else { return }
        simulation.startNode(owner)
    }

    private func changeWeather() {
        let weather = simulation.random.element(
            of: SimulatedAPNs.Weather.allCases.filter { $0 != .fair })
        simulation.trace(nil, "APNs is \(weather)")
        simulation.network.weather = weather
        simulation.schedule(time(within: Int64(simulation.random.element(of: [1, 30, 1_200])))) { [self] in
            simulation.trace(nil, "APNs is fair")
            simulation.network.weather = .fair
            // Whoever mends what was wrong resumes what it has stopped.
            guard weather == .misconfigured, simulation.random.isTrue(perMille: 800) else { return }
            resumeAll()
        }
    }

    private func resumeAll() {
        for row in simulation.observer.mirror.pushes.values.sorted(by: { $0.number < $1.number })
        where row.state == .paused {
            let (now, number, id) = (now, appNumber, row.objectID)
            _ = simulation.perform("push \(row.number) is resumed") { store in
                try await store.setState(.running, push: id, app: number, now: now)
            }
        }
    }

    /// Ends what goes wrong, and lets people look after what waits for them.
    func endFaults() {
        simulation.calm()
        simulation.network.weather = .fair
        for node in simulation.nodes where node.isStalled { node.isStalled = false }
        for machine in 0..<scenario.machineCount { restart("machine-\(machine)") }
        lookAfter()
    }

    private func lookAfter() {
        resumeAll()
        // What was on the wire when the key was mended may stop a push once more.
        for seconds in [60, 600, 43_200, 86_400, 129_600] {
            simulation.schedule(Int64(seconds) * 1_000_000) { [self] in resumeAll() }
        }
    }

    /// What has not ended, for messages.
    func openWork() -> String {
        let mirror = simulation.observer.mirror
        let pushes = mirror.pushes.values.filter { !$0.state.isFinal }.map {
            "push \($0.number): \($0.state)"
        }
        let batches = mirror.batches.values.filter { $0.state != .done }.map {
            "batch \($0.number) of push \($0.push): \($0.state)"
        }
        return (pushes.sorted() + batches.sorted()).joined(separator: ", ")
    }
}
