import PushStore

/// What a seed makes of the world: how much there is of everything, and how often what goes wrong.
struct Scenario {
    /// What happens to processes.
    enum Fault: CaseIterable {
        /// Killed; started again later.
        case crash
        /// Stopped, often for longer than a lease, and woken again.
        case stall
        /// Asked to end, and started again.
        case restart
        /// All clocks are set forward.
        case jump
    }

    var machineCount: Int
    var laneCount: Int
    var plannerCount: Int
    /// Devices of a batch, installations of one step of planning, notifications handed to a client together.
    var batchCountMax: Int
    var planCountMax: Int
    var chunkCount: Int
    var lightDeviceCountMax: Int
    var phoneCount: Int
    var pushCount: Int

    /// How often, of a thousand, something goes wrong with a notification, a pause between two, a transaction.
    var lossPerMille = 0
    var slowPerMille = 0
    var storeSlowPerMille = 0
    var storeFailurePerMille = 0
    var storeLossPerMille = 0

    var faults: [Fault] = []
    var weatherCount = 0
    var operationCount = 0
    var phoneChangeCount = 0
    var frequencyCap: AppSettings.FrequencyCap?
    var quietHours: AppSettings.QuietHours?
    /// Whether phones are asked in both environments, in seconds the time in which the script happens.
    var sandboxPerMille = 0
    var seconds: Int64

    /// Whether nothing goes wrong at all: every device is reached then.
    var isCalm: Bool {
        lossPerMille + slowPerMille + storeSlowPerMille + storeFailurePerMille + storeLossPerMille == 0
            && faults.isEmpty && weatherCount + operationCount + phoneChangeCount == 0
    }

    /// One machine, ten phones and a push, on a fine day.
    static var calm: Scenario {
        var random = SimulationRandom(seed: 0)
        var scenario = Scenario(&random, isFine: true)
        scenario.machineCount = 1
        scenario.phoneCount = 10
        scenario.pushCount = 1
        scenario.sandboxPerMille = 0
        scenario.frequencyCap = nil
        scenario.quietHours = nil
        return scenario
    }

    init(_ random: inout SimulationRandom) {
        self.init(&random, isFine: false)
    }

    private init(_ random: inout SimulationRandom, isFine: Bool) {
        machineCount = random.between(1...3)
        laneCount = random.between(1...3)
        plannerCount = random.between(1...2)
        batchCountMax = random.between(2...8)
        planCountMax = random.between(3...20)
        chunkCount = random.between(1...4)
        lightDeviceCountMax = random.between(0...8)
        phoneCount = random.between(4...20)
        pushCount = random.between(1...4)
        seconds = random.element(of: [2, 10, 120])
        if random.isTrue(perMille: 300) { sandboxPerMille = 250 }
        if random.isTrue(perMille: 200) {
            frequencyCap = AppSettings.FrequencyCap(
                countMax: random.between(1...2), seconds: random.element(of: [60, 3_600]))
        }
        if random.isTrue(perMille: 100) {
            quietHours = AppSettings.QuietHours(startMinute: random.between(0...60), endMinute: 120)
        }
        // One seed in ten is a fine day.
        guard !isFine, !random.isTrue(perMille: 100) else { return }
        if random.isTrue(perMille: 400) { lossPerMille = random.element(of: [10, 50, 200]) }
        if random.isTrue(perMille: 300) { slowPerMille = random.element(of: [10, 50]) }
        if random.isTrue(perMille: 300) { storeSlowPerMille = random.element(of: [5, 20]) }
        if random.isTrue(perMille: 200) { storeFailurePerMille = random.element(of: [2, 10]) }
        if random.isTrue(perMille: 200) { storeLossPerMille = random.element(of: [5, 20]) }
        for fault in [Fault.crash, .crash, .crash, .stall, .stall, .restart, .jump]
        where random.isTrue(perMille: fault == .jump ? 100 : 400) {
            faults.append(fault)
        }
        if random.isTrue(perMille: 400) { weatherCount = random.between(1...2) }
        if random.isTrue(perMille: 400) { operationCount = random.between(1...4) }
        if random.isTrue(perMille: 400) { phoneChangeCount = random.between(1...5) }
    }
}
