internal import BelfryKit
internal import Foundation
internal import Recurrence
internal import VirtualPhone

/// Measures reminders: `swift run -c release reminders-benchmark`.
///
/// Ninety days of a hundred reminders on a simulated phone whose app is opened once a day, the planning of ten thousand
/// reminders, and the next occurrence of a rule beside Foundation's.
@main struct RemindersBenchmark {
    private final class App: BelfryApp {
        static let manifest = AppManifest(bundleIdentifier: "com.example.Benchmark", name: "Benchmark")
        var belfry: Belfry?
        var reminders: Reminders?

        func makeBelfry(_ application: Application) -> Belfry {
            let reminders = Reminders(application: application)
            self.reminders = reminders
            return Belfry(
                service: nil, application: application, hooks: Belfry.Hooks(reminders: reminders))
        }
    }

    private static let app = App.manifest.bundleIdentifier
    private static let dayCount = 90
    private static let roundCount = 5

    static func main() async throws {
        var fastest = Duration.seconds(1_000)
        var shownCount = 0
        for _ in 0..<roundCount {
            let (phone, reminders) = try await openedApp()
            let list = try (0..<100).map { number in
                let time = ReminderTime(hour: number % 24, minute: number / 24)
                // Half of them repeat by themselves, the others take a slot for each date.
                let schedule: ReminderSchedule =
                    number % 2 == 0 ? try .every(2, .days, at: time) : try .daily(at: time)
                return Reminder("r\(number)", schedule, ReminderContent(title: "Reminder \(number)"))
            }
            let started = ContinuousClock.now
            try await reminders.set(list)
            for _ in 0..<dayCount {
                await phone.goHome()
                await phone.advance(days: 1)
                try await phone.open(app)
            }
            fastest = min(fastest, started.duration(to: .now))
            shownCount = phone.journal(.banner, .lockScreen, .listed).count
        }
        print("\(dayCount) days of 100 reminders on a phone: \(fastest), \(shownCount) shown")

        try await planTenThousand()
        try findNext()
    }

    private static func planTenThousand() async throws {
        let list = try (0..<10_000).map { number in
            let time = ReminderTime(hour: number % 24, minute: number % 60)
            return Reminder("r\(number)", try .every(2, .days, at: time), ReminderContent(title: "Reminder"))
        }
        var keeping = Duration.seconds(1_000)
        var first = keeping
        var again = keeping
        var launch = keeping
        for _ in 0..<roundCount {
            let phone = try await installedPhone()
            let reminders = try await opened(phone)
            // Nothing is planned before the user has been asked, so this is the keeping alone.
            keeping = try await min(keeping, timed { try await reminders.set(list) })
            _ = try await phone.app(App.self)?.belfry?.permission.request()
            first = await min(first, timed { await reminders.replan() })
            again = await min(again, timed { await reminders.replan() })
            try await phone.forceQuit(app)
            launch = try await min(
                launch, timed { try await opened(phone).replan() })
        }
        print("10,000 reminders resolved and kept: \(keeping)")
        print("10,000 reminders planned, 60 requests added: \(first)")
        print("10,000 reminders planned again: \(again)")
        print("app launched, 10,000 reminders read and planned: \(launch)")
    }

    /// Walks through the occurrences of years, each searched from the one before.
    private static func findNext() throws {
        let zone = try Zone("America/Los_Angeles")
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(identifier: zone.name) ?? .gmt
        let start = Instant(secondsSince1970: 1_796_000_000)
        let rules: [(name: String, rule: String, components: DateComponents?)] = [
            ("daily at nine", "FREQ=DAILY;BYHOUR=9;BYMINUTE=0", DateComponents(hour: 9, minute: 0)),
            (
                "monthly on the 31st", "FREQ=MONTHLY;BYMONTHDAY=31;BYHOUR=9;BYMINUTE=0",
                DateComponents(day: 31, hour: 9, minute: 0)
            ),
            (
                "monthly on the second Tuesday", "FREQ=MONTHLY;BYDAY=2TU;BYHOUR=9;BYMINUTE=0",
                DateComponents(hour: 9, minute: 0, weekday: 3, weekdayOrdinal: 2)
            ),
            ("monthly on the last day", "FREQ=MONTHLY;BYMONTHDAY=-1;BYHOUR=9;BYMINUTE=0", nil),
            ("every two hours in a window on weekdays", "", nil),
        ]
        for (name, text, components) in rules {
            let rule =
                text.isEmpty
                ? try ReminderText.rule("every 2 hours from 08:00 to 20:00 on mon-fri") : try Rule(text)
            let schedule = try Schedule(rule: rule, start: .instant(start))
            let ours = walked(count: 2_000, from: start) { schedule.next(after: $0, in: zone)?.instant }
            var line = "next occurrence, \(name): \(ours)"
            if let components {
                let theirs = walked(count: 100, from: start) { instant in
                    calendar.nextDate(
                        after: Date(timeIntervalSince1970: Double(instant.secondsSince1970)),
                        matching: components,
                        matchingPolicy: .nextTime
                    ).map { Instant(secondsSince1970: Int64($0.timeIntervalSince1970)) }
                }
                line += ", Foundation \(theirs)"
            }
            print(line)
        }
    }

    private static func walked(count: Int, from start: Instant, _ next: (Instant) -> Instant?) -> Duration {
        var fastest = Duration.seconds(1_000)
        for _ in 0..<roundCount {
            var instant = start
            let started = ContinuousClock.now
            for _ in 0..<count { instant = next(instant) ?? start }
            fastest = min(fastest, started.duration(to: .now) / count)
        }
        return fastest
    }

    private static func timed(_ body: () async throws -> Void) async rethrows -> Duration {
        let started = ContinuousClock.now
        try await body()
        return started.duration(to: .now)
    }

    private static func installedPhone() async throws -> VirtualPhone {
        let phone = try VirtualPhone(at: "2027-03-01T12:00", zone: "America/Los_Angeles")
        try await phone.install(App.self)
        return phone
    }

    private static func opened(_ phone: VirtualPhone) async throws -> Reminders {
        try await phone.open(app)
        guard let reminders = await phone.app(App.self)?.reminders else {
            throw PhoneError(.app, "the app does not run")
        }
        return reminders
    }

    private static func openedApp() async throws -> (VirtualPhone, Reminders) {
        let phone = try await installedPhone()
        let reminders = try await opened(phone)
        _ = try await phone.app(App.self)?.belfry?.permission.request()
        return (phone, reminders)
    }
}
