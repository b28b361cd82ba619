import APNs
import APNsGateway
import Testing

/// Random histories of a few phones, checked against the rules and against a restart after each.
struct RegistryModelTests {
    @Test(arguments: 0..<24 as Range<UInt64>)
    func `a random history keeps every rule`(seed: UInt64) throws {
        var history = History(seed: seed)
        for _ in 0..<600 {
            try history.step()
            history.check()
        }
        history.finish()
    }

    private struct History {
        var world: World
        let seed: UInt64
        var generator: SplitMix
        var devices: [DeviceID] = []
        var tokens: [(device: DeviceID, token: DeviceToken, topic: Topic)] = []
        /// What is saved, as a store would have it.
        var saved = RegistryContents()
        /// The pushes that were accepted, and what is known of them.
        var fates: [NotificationID: Fate] = [:]
        var deliveredSoFar: [DeviceID: Int64] = [:]
        var stepCount = 0

        enum Fate: Equatable {
            case delivered
            case waiting(until: Int64)
            case discarded
        }

        init(seed: UInt64) {
            self.seed = seed
            generator = SplitMix(seed: seed)
            let isRationed = seed % 2 == 0
            world = World {
                $0.unregisteredGraceMilliseconds = 50_000
                $0.tokensPerDeviceMax = 8
                $0.deliveriesPerDeviceMax = 5
                $0.deliveriesMax = 12
                $0.backgroundPushesPerApp = isRationed ? .init(count: 1, milliseconds: 60_000) : nil
                $0.noticesRemovalOnPush = seed % 3 != 0
            }
            world.registries.devices.collectsChanges = true
        }

        var note: Comment { "seed \(seed), step \(stepCount)" }

        mutating func pick<Element>(_ elements: [Element]) -> Element? {
            elements.randomElement(using: &generator)
        }

        mutating func step() throws {
            stepCount += 1
            switch Int.random(in: 0..<100, using: &generator) {
            case 0..<4 where devices.count < 6: devices.append(try world.addPhone())
            case 4..<12: try register()
            case 12..<22:
                if let device = pick(devices) { try world.setOnline(device, Bool.random(using: &generator)) }
            case 22..<27:
                if let device = pick(devices) {
                    let isOn = Bool.random(using: &generator)
                    try world.registries.devices.setPowerSaving(device, isOn, at: world.now)
                }
            case 27..<31:
                if let device = pick(devices) {
                    try world.registries.devices.setEnabled(device, app: nil, Bool.random(using: &generator))
                }
            case 31..<34:
                if let device = pick(devices) {
                    try world.registries.devices.uninstall(device, app: nil, at: world.now)
                }
            case 34..<37: try reinstall()
            case 37..<40:
                if let device = pick(devices) {
                    let isLinked = Bool.random(using: &generator)
                    try world.registries.devices.setLinked(device, isLinked, at: world.now)
                }
            case 40..<50: try acknowledge()
            case 50..<51: try forget()
            case 51..<53:
                if let device = pick(devices) {
                    try world.registries.devices.launch(device, app: nil, at: world.now)
                }
            case 53..<54:
                if let entry = pick(tokens) {
                    try? world.registries.devices.unregister(entry.device, entry.token, at: world.now)
                }
            case 54..<64: world.wait(Int64.random(in: 0..<40_000, using: &generator))
            default: push()
            }
            takeOutcomes()
            if Int.random(in: 0..<20, using: &generator) == 0 { save() }
        }

        mutating func register() throws {
            guard let device = pick(devices), let topic = pick(["a.b", "a.c", "a.b.voip"]) else { return }
            if let token = try? world.register(device, World.topic(topic)),
                !tokens.contains(where: { $0.token == token })
            {
                tokens.append((device, token, World.topic(topic)))
            }
        }

        mutating func reinstall() throws {
            guard let device = pick(devices) else { return }
            _ = try? world.registries.devices.reinstall(
                device, app: nil, at: world.now, using: &world.generator)
            for row in world.devices.contents.tokens where !tokens.contains(where: { $0.token == row.token })
            {
                tokens.append((row.device, row.token, row.topic))
            }
        }

        mutating func acknowledge() throws {
            guard let device = pick(devices) else { return }
            let row = world.devices.contents.devices.first { $0.id == device }
            if let row {
                try world.registries.devices.acknowledge(device, upTo: row.nextSequence - 1, at: world.now)
            }
        }

        mutating func forget() throws {
            guard devices.count > 2, let device = pick(devices) else { return }
            try world.registries.devices.forget(device, at: world.now)
            devices.removeAll { $0 == device }
            tokens.removeAll { $0.device == device }
        }

        mutating func push() {
            guard let entry = pick(tokens) else { return }
            let verdict = world.verdict(entry.token, entry.topic)
            guard case .accepted(let number) = verdict else { return }
            var notification = world.notification(
                entry.token, priority: pick([.low, .normal, .high]) ?? .high,
                expiration: pick([
                    .unspecified, .never, .at(secondsSince1970: 300), world.seconds(after: 20_000),
                    world.seconds(after: 100 * World.day),
                ]) ?? .never, pushType: pick([.alert, .background]))
            notification.topic = entry.topic
            let decision = world.registries.devices.accept(notification, device: number, at: world.now)
            switch decision {
            case .delivered: fates[notification.id] = .delivered
            case .stored(_, _, let until):
                #expect(until - world.now <= 30 * World.day, note)
                #expect(until > world.now, note)
                fates[notification.id] = .waiting(until: until)
            case .held: fates[notification.id] = .waiting(until: world.now + 30 * World.day)
            case .discarded: fates[notification.id] = .discarded
            case .noDevice: Issue.record("an accepted token has no device, \(note)")
            }
        }

        mutating func takeOutcomes() {
            for outcome in world.registries.devices.takeOutcomes() {
                guard case .waiting(let until)? = fates[outcome.id] else {
                    Issue.record("\(outcome.decision) for a push that did not wait, \(note)")
                    continue
                }
                switch outcome.decision {
                case .delivered:
                    #expect(outcome.atMilliseconds < until, note)
                    fates[outcome.id] = .delivered
                case .discarded: fates[outcome.id] = .discarded
                // Arrived at the phone, which holds it.
                case .held: break
                case .stored, .noDevice: Issue.record("\(outcome.decision) is no end, \(note)")
                }
            }
        }

        mutating func check() {
            let contents = world.devices.contents
            #expect(Set(contents.tokens.map(\.token)).count == contents.tokens.count, note)
            var waiting: Set<NotificationID> = []
            for app in contents.apps {
                for one in [app.stored, app.held].compactMap(\.self) {
                    #expect(waiting.insert(one.notification.id).inserted, "stored twice, \(note)")
                    #expect(one.untilMilliseconds > world.now, note)
                    #expect(
                        one.untilMilliseconds - one.notification.receivedAtMilliseconds <= 30 * World.day,
                        note)
                    #expect(one.notification.topic.bundleID == app.bundleID, note)
                    guard case .waiting? = fates[one.notification.id] else {
                        Issue.record("\(one.notification.id) waits after its end, \(note)")
                        continue
                    }
                }
                if app.stored != nil { #expect(app.isInstalled, note) }
            }
            var delivered: Set<NotificationID> = []
            for row in contents.deliveries {
                #expect(delivered.insert(row.delivery.notification.id).inserted, "delivered twice, \(note)")
                #expect(fates[row.delivery.notification.id] == .delivered, note)
            }
            #expect(delivered.isDisjoint(with: waiting), note)
            #expect(contents.deliveries.count <= 12, note)
            for device in contents.devices {
                let sequences = contents.deliveries.filter { $0.device == device.id }.map(\.delivery.sequence)
                #expect(sequences.count <= 5, note)
                #expect(sequences.last.map { $0 + 1 == device.nextSequence } ?? true, note)
                #expect(device.nextSequence >= deliveredSoFar[device.id] ?? 1, note)
                deliveredSoFar[device.id] = device.nextSequence
                #expect(contents.tokens.count { $0.device == device.id } <= 8, note)
            }
            if let deadline = world.registries.devices.nextDeadline() { #expect(deadline > world.now, note) }
        }

        /// Writes the changes as a store would and starts a second registry from what is saved.
        mutating func save() {
            saved.apply(world.registries.devices.takeChanges())
            let contents = world.devices.contents
            #expect(saved.sorted() == contents.sorted(), note)
            var restarted = DeviceRegistry(policy: world.devices.policy, contents: saved)
            #expect(restarted.contents.sorted() == contents.sorted().afterRestart(), note)
            #expect(restarted.nextDeadline() == world.registries.devices.nextDeadline(), note)
            if Int.random(in: 0..<4, using: &generator) == 0 {
                restarted.collectsChanges = true
                world.registries.devices = restarted
                saved = saved.afterRestart()
            }
        }

        mutating func finish() {
            for device in devices {
                try? world.setOnline(device, true)
                try? world.registries.devices.setPowerSaving(device, false, at: world.now)
                try? world.registries.devices.setLinked(device, false, at: world.now)
            }
            world.wait(31 * World.day)
            takeOutcomes()
            check()
            #expect(!fates.values.contains { if case .waiting = $0 { true } else { false } }, note)
            #expect(world.registries.devices.nextDeadline() == nil, note)
            #expect(fates.values.contains(.delivered) && fates.values.contains(.discarded), note)
        }
    }
}
