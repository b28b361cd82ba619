import Foundation
import Recurrence
import ReminderGenerator
import Testing

@testable import BelfryKit
@testable import UserNotifications

/// Random reminders over ninety days, the app opened at random, the device moved between zones.
///
/// The engine that knows a rule's occurrences is itself held to an independent oracle; here it is the measure for what
/// the planner and the device make of them.
struct NinetyDaysTests {
    private struct Showing: Hashable {
        var key: String
        var civil: CivilDateTime
        var note: Occurrence.Note?
    }

    @Test(arguments: 1...12)
    func `every occurrence inside the horizon is shown once, and none outside the rules`(
        _ seed: Int
    ) async throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let moves = seed % 2 == 0
        let zones = try ScheduleGenerator.zones.map { try Zone($0) }
        let month = random.one(of: ["02-20", "03-10", "09-01", "10-15", "12-15"])
        let openApp = random.maybe(30) ? ReminderContent(title: "Open") : nil
        let device = try await ReminderDevice(
            "2026-\(month)T12:00", zone: random.one(of: ScheduleGenerator.zones),
            openApp: openApp)
        for number in 0..<random.number(0...12) { try await device.addForeign("theirs-\(number)") }
        var generator = ScheduleGenerator(random: random, isPlain: moves)
        for number in 0..<random.number(1...18) {
            try await Self.set("r\(number)", device, &generator)
        }
        var report = await device.reminders.replan()
        let end = device.host.now.advanced(bySeconds: 90 * 86_400)
        var seen = 0
        var singles: Set<Showing> = []
        var shownCount = 0
        var checkedCount = 0
        var snoozes: [Instant] = []
        var keysOfRepeats: [String: Set<Instant>] = [:]
        var isPlanCurrent = true
        while device.host.now < end {
            // Until the next event: the app is opened, or the device moves.
            let begin = device.host.now
            let zone = device.host.zone
            let definitions = await device.reminders.list()
            await device.host.advance(
                bySeconds: Int64(random.number(3600...random.one(of: [20, 70, 200]) * 3600)))
            let now = device.host.now
            // None outside the rules.
            for shown in device.host.shown[seen...] {
                guard let firing = ReminderFiring(shown.notification) else { continue }
                let identifier = shown.notification.request.identifier
                let date = shown.notification.date.timeIntervalSince1970
                let instant = Instant(secondsSince1970: Int64(date.rounded(.down)))
                if firing.isSnooze {
                    #expect(snoozes.contains(instant), "\(identifier)")
                    snoozes.removeAll { $0 == instant }
                    continue
                }
                let definition = try #require(definitions.first { $0.key == firing.key }, "\(identifier)")
                let schedule = try definition.schedule.compiled()
                let range = instant..<instant.advanced(bySeconds: 1)
                var occurrences = schedule.occurrences(in: range, in: zone)
                guard let occurrence = occurrences.next() else {
                    Issue.record(
                        "seed \(seed): \(identifier) at \(instant) in \(zone) is outside \(definition.schedule)"
                    )
                    continue
                }
                shownCount += 1
                if identifier.contains("#each-") {
                    let isNew = keysOfRepeats[firing.key, default: []].insert(instant).inserted
                    #expect(isNew, "seed \(seed): \(identifier) twice at \(instant)")
                } else {
                    let showing = Showing(
                        key: firing.key, civil: occurrence.civil,
                        note: occurrence.note == .repeated(.second) ? occurrence.note : nil)
                    #expect(singles.insert(showing).inserted, "seed \(seed): \(identifier) was shown twice")
                }
            }
            seen = device.host.shown.count
            // Everything inside the horizon.
            for entry in report.entries where isPlanCurrent {
                guard let definition = definitions.first(where: { $0.key == entry.key }) else { continue }
                var last = now
                if case .until(let instant) = entry.horizon { last = min(last, instant) }
                let schedule = try definition.schedule.compiled()
                guard begin < last else { continue }
                let range = begin.advanced(byMilliseconds: 1)..<last.advanced(byMilliseconds: 1)
                for occurrence in schedule.occurrences(in: range, in: zone) {
                    let showing = Showing(
                        key: entry.key, civil: occurrence.civil,
                        note: occurrence.note == .repeated(.second) ? occurrence.note : nil)
                    let isShown =
                        singles.contains(showing)
                        || keysOfRepeats[entry.key]?.contains(occurrence.instant) == true
                    checkedCount += 1
                    #expect(
                        isShown,
                        "seed \(seed): \(entry) misses \(occurrence) in \(zone): \(definition.schedule)")
                }
            }
            if moves, random.maybe(25) {
                device.host.zone = random.one(of: zones)
                isPlanCurrent = false
                // Half of the time the app is opened only later.
                if random.maybe(50) { continue }
            }
            generator.random = random
            try await Self.act(device, &generator, &snoozes)
            random = generator.random
            report = await (random.maybe(30) ? device.relaunched(openApp: openApp) : device.reminders)
                .replan()
            isPlanCurrent = true
            #expect(report.problems.isEmpty)
            // A plan in force is kept as it is.
            let again = await device.reminders.replan()
            #expect(again.addedCount == 0 && again.removedCount == 0 && again.entries == report.entries)
            let pending = await device.pendingIdentifiers()
            #expect(pending.count <= 60)
        }
        #expect(!device.host.diagnoses.contains { $0.contains("dropped") })
        #expect(checkedCount > 0 && shownCount > 0)
    }

    private static func set(
        _ key: String, _ device: ReminderDevice, _ generator: inout ScheduleGenerator
    ) async throws {
        let schedule = try generator.schedule(now: device.host.now, zone: device.host.zone)
        do {
            try await device.reminders.set(key, schedule, note)
        } catch {
            // Made up to end before it begins.
            #expect(error.code == .pastDate || error.code == .neverFires, "\(error)")
        }
    }

    private static func act(
        _ device: ReminderDevice, _ generator: inout ScheduleGenerator, _ snoozes: inout [Instant]
    ) async throws {
        let keys = await device.reminders.list().map(\.key)
        guard !keys.isEmpty else { return }
        let key = generator.random.one(of: keys)
        switch generator.random.number(0...9) {
        case 0: try await device.reminders.skipNext(key)
        case 1:
            let instant = try await device.reminders.snooze(
                key, for: Double(generator.random.number(60...7200)))
            snoozes.append(instant)
        case 2: try await device.reminders.update(key) { $0.content.title += "!" }
        default: break
        }
    }
}
