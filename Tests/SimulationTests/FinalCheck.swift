import APNs
import PushStore
import Recurrence

/// What has to hold when faults have ended and everything has come to rest.
struct FinalCheck {
    private let simulation: Simulation
    private let script: Script

    init(_ simulation: Simulation, _ script: Script) {
        self.simulation = simulation
        self.script = script
    }

    private var mirror: Mirror { simulation.observer.mirror }

    func run() {
        for push in mirror.pushes.values.sorted(by: { $0.number < $1.number }) { check(push) }
        for accepted in script.accepted where mirror.pushes[accepted.push.number] == nil {
            simulation.fail("push \(accepted.push.number) was accepted and is lost")
        }
        checkSchedules()
        for phone in script.phones where phone.isStable { checkRow(phone) }
    }

    /// What goes wrong between the service and APNs must cost no phone its row.
    private func checkRow(_ phone: Script.Phone) {
        guard let app = script.app else { return }
        let id = phone.row.objectID
        let row = simulation.perform("the row of \(phone.installationID) is read") { store in
            try await store.installation(objectID: id, app: app.number)
        }
        guard let row = row ?? nil else { return simulation.fail("\(phone.installationID) has lost its row") }
        if let environment = row.environment, (environment == .sandbox) != phone.isSandbox {
            simulation.fail("\(phone.installationID) is taken for one of the \(environment) environment")
        }
    }

    private func check(_ push: Mirror.PushRow) {
        let name = "push \(push.number)"
        let outcomes = mirror.outcomes(of: push.number)
        for (device, outcome) in outcomes.sorted(by: { $0.key < $1.key })
        where outcome == .pending || outcome == .moved || outcome == .damaged {
            simulation.fail("\(name) has ended and device \(device) is \(outcome.name)")
        }
        checkCounts(push, outcomes)
        checkShown(push, outcomes)
        guard !push.isSchedule else { return }
        let origin = push.schedule ?? push.number
        guard push.state == .done, let accepted = script.accepted.first(where: { $0.push.number == origin })
        else { return }
        guard !accepted.isToTokens else {
            if outcomes.count != accepted.push.request.deviceTokens?.count {
                simulation.fail("\(name) to tokens has \(outcomes.count) outcomes")
            }
            return
        }
        let isSkipped = push.notes?.contains("skipped") == true
        for phone in script.phones where phone.isStable && accepted.phones.contains(phone.row.number) {
            guard let outcome = outcomes[phone.row.number] else {
                if !isSkipped { simulation.fail("\(name) has no outcome for \(phone.installationID)") }
                continue
            }
            if !isAllowed(outcome, accepted) {
                simulation.fail("\(name): \(phone.installationID) is \(outcome.name)")
            }
        }
    }

    /// Whether a phone that nothing happened to may have an outcome.
    private func isAllowed(_ outcome: DeviceOutcome, _ accepted: Script.Accepted) -> Bool {
        switch outcome {
        case .accepted: return true
        case .capped: return simulation.scenario.frequencyCap != nil
        case .expired: return accepted.hasLifetime
        case .unanswered, .unreachable: return !simulation.original.isCalm
        case .skipped, .malformedToken, .noCredential, .invalidContent, .damaged, .pending, .moved,
            .nothingNew,
            .zonePassed, .cancelled:
            return false
        default:
            let reason = outcome.reason
            let waits: [Reason] = [.tooManyRequests, .serviceUnavailable]
            // A phone of the other environment is refused there when the key is refused here.
            return simulation.original.weatherCount > 0 && reason.map(waits.contains) == true
                || outcome.isInvalidToken && simulation.original.sandboxPerMille > 0
                    && simulation.original.weatherCount > 0
        }
    }

    /// Compares the record with what is known of each device.
    private func checkCounts(_ push: Mirror.PushRow, _ outcomes: [Int64: DeviceOutcome]) {
        guard let app = script.app else { return }
        let id = push.objectID
        let record = simulation.perform("the record of push \(push.number) is read") { store in
            try await store.record(id: id, app: app.number)
        }
        guard let record = record ?? nil else {
            return simulation.fail("push \(push.number) has no record")
        }
        var counts: [DeviceOutcome: Int] = [:]
        for outcome in outcomes.values { counts[outcome, default: 0] += 1 }
        let found = record.outcomes.filter { $0.key.isDevice }
        if found != counts || record.deviceCount != outcomes.count {
            simulation.fail("the record of push \(push.number) counts \(found), and there are \(counts)")
        }
    }

    /// Compares outcomes with what phones have shown.
    private func checkShown(_ push: Mirror.PushRow, _ outcomes: [Int64: DeviceOutcome]) {
        var shown: Set<Int64> = []
        var answered: Set<Int64> = []
        for attempt in simulation.observer.attempts where attempt.delivery.push == push.number {
            if attempt.isAccepted { shown.insert(attempt.delivery.device) }
            if attempt.isAnswered { answered.insert(attempt.delivery.device) }
        }
        for (device, outcome) in outcomes where outcome == .accepted && !shown.contains(device) {
            simulation.fail("push \(push.number): device \(device) is accepted and showed nothing")
        }
        for (device, outcome) in outcomes where outcome == .unanswered && !answered.contains(device) {
            simulation.fail("push \(push.number): device \(device) is unanswered and was never sent to")
        }
    }

    /// Each occurrence of a schedule is one push, or is said to be skipped.
    private func checkSchedules() {
        for parent in mirror.pushes.values.sorted(by: { $0.number < $1.number })
        where parent.isSchedule && parent.state == .done {
            let children = mirror.pushes.values.filter { $0.schedule == parent.number }
            let wanted = script.accepted.first { $0.push.number == parent.number }?.push.request.schedule?
                .count
            if children.count > wanted ?? 0 {
                simulation.fail("schedule \(parent.number) made \(children.count) pushes of \(wanted ?? 0)")
            }
            if children.count < wanted ?? 0,
                !children.contains(where: { $0.notes?.contains("skipped") == true })
            {
                simulation.fail("schedule \(parent.number) made \(children.count) pushes of \(wanted ?? 0)")
            }
        }
    }
}
