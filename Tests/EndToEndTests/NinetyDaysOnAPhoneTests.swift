import Recurrence
import ReminderGenerator
import Testing
import UserNotifications
import VirtualPhone

@testable import BelfryKit

/// Random reminders of a real app on a phone, over ninety days: it is opened, left, ended and woken at random, and the
/// phone travels.
///
/// The rules' engine, which is held to an independent oracle elsewhere, says what should have been shown.
@Suite(.timeLimit(.minutes(5))) struct NinetyDaysOnAPhoneTests {
    final class ReminderApp: BelfryApp {
        static let manifest = AppManifest(
            bundleIdentifier: "com.example.Reminders", name: "Reminders", backgroundModes: [.fetch])
        var belfry: Belfry?
        var reminders: Reminders?

        func makeBelfry(_ application: Application) -> Belfry {
            let reminders = Reminders(application: application)
            self.reminders = reminders
            return Belfry(
                service: nil, application: application, hooks: Belfry.Hooks(reminders: reminders))
        }
    }

    /// What was shown, or should have been.
    private struct Showing: Hashable, CustomStringConvertible {
        var key: String
        var instant: Instant
        var description: String { "\(key) at \(instant.iso8601)" }
    }

    /// The time of a rule that it stands for.
    private struct CivilShowing: Hashable {
        var key: String
        var civil: CivilDateTime
        var isSecond: Bool

        init(_ key: String, _ occurrence: Occurrence) {
            self.key = key
            civil = occurrence.civil
            isSecond = occurrence.note == .repeated(.second)
        }
    }

    private static let app = ReminderApp.manifest.bundleIdentifier

    @Test(arguments: 1...8)
    func `every occurrence inside the horizon is shown once, and none outside the rules`(
        _ seed: Int
    ) async throws {
        let travels = seed % 2 == 0
        var generator = ScheduleGenerator(random: SeededGenerator(seed: UInt64(seed)), isPlain: travels)
        let month = generator.random.one(of: ["02-20", "03-10", "09-01", "10-15", "12-15"])
        let phone = try VirtualPhone(
            at: "2026-\(month)T12:00", zone: generator.random.one(of: ScheduleGenerator.zones))
        try await phone.install(ReminderApp.self)
        try await phone.open(Self.app)
        _ = try await phone.app(ReminderApp.self)?.belfry?.permission.request()
        var schedules: [String: Schedule] = [:]
        var reminders = try #require(await phone.app(ReminderApp.self)?.reminders)
        for number in 0..<generator.random.number(1...18) {
            let key = "r\(number)"
            let schedule = try generator.schedule(now: phone.now, zone: phone.zone)
            do throws(BelfryKitError) {
                try await reminders.set(key, schedule, ReminderContent(title: key))
            } catch {
                // Made up to end before it begins.
                #expect(error.code == .pastDate || error.code == .neverFires, "\(error)")
            }
            schedules[key] = try await reminders.reminder(key)?.schedule.compiled()
        }
        let end = phone.now.advanced(bySeconds: 90 * 86_400)
        var report = await reminders.replan()
        var isPlanCurrent = true
        var checkedCount = 0
        var seen: Set<Showing> = []
        // A phone that travels west meets a time of the rule again, which was shown already.
        var seenTimes: Set<CivilShowing> = []
        var lastEntry = phone.state.lastEntry
        while phone.now < end {
            let (begin, zone) = (phone.now, phone.zone)
            let hours = generator.random.number(1...generator.random.one(of: [20, 70, 200]))
            await phone.advance(by: .seconds(hours * 3600 + generator.random.number(0...3599)))
            let now = phone.now
            let shown = phone.journal(.banner, .lockScreen, .listed).filter { $0.number > lastEntry }
                .map { Showing(key: $0.text, instant: $0.instant) }
            lastEntry = phone.state.lastEntry
            for showing in shown {
                #expect(seen.insert(showing).inserted, "seed \(seed): \(showing) twice")
                let schedule = try #require(schedules[showing.key], "seed \(seed): \(showing)")
                let range = showing.instant..<showing.instant.advanced(bySeconds: 1)
                var occurrences = schedule.occurrences(in: range, in: zone)
                guard let occurrence = occurrences.next() else {
                    Issue.record("seed \(seed): \(showing) in \(zone) is outside the rule")
                    continue
                }
                seenTimes.insert(CivilShowing(showing.key, occurrence))
            }
            for entry in report.entries where isPlanCurrent {
                guard let schedule = schedules[entry.key] else { continue }
                var last = now
                if case .until(let instant) = entry.horizon { last = min(last, instant) }
                guard begin < last else { continue }
                let range = begin.advanced(byMilliseconds: 1)..<last.advanced(byMilliseconds: 1)
                for occurrence in schedule.occurrences(in: range, in: zone) {
                    checkedCount += 1
                    let isShown =
                        seen.contains(Showing(key: entry.key, instant: occurrence.instant))
                        || seenTimes.contains(CivilShowing(entry.key, occurrence))
                    #expect(isShown, "seed \(seed): \(entry.key) misses \(occurrence) in \(zone)")
                }
            }
            // The user travels, and opens the app now or only later.
            if travels, generator.random.maybe(15) {
                try await phone.setZone(generator.random.one(of: ScheduleGenerator.zones))
                isPlanCurrent = false
                if generator.random.maybe(50) { continue }
            }
            switch generator.random.number(0...5) {
            // An app that does not run cannot be ended.
            case 0: try? await phone.terminate(Self.app)
            case 1: try? await phone.forceQuit(Self.app)
            case 2: await phone.reboot()
            case 3: await phone.lock()
            default: await phone.goHome()
            }
            if generator.random.maybe(25) {
                // Woken for a refresh, unless the user swiped the app away.
                try await phone.refreshInBackground(Self.app)
            } else {
                try await phone.open(Self.app)
                if generator.random.maybe(70) { await phone.goHome() }
            }
            guard let app = await phone.app(ReminderApp.self), let current = await app.reminders else {
                continue
            }
            // The app planned by itself when it was opened or woken.
            reminders = current
            report = await current.report
            #expect(report.problems == [])
            isPlanCurrent = true
        }
        #expect(checkedCount > 0 || schedules.isEmpty)
    }
}
