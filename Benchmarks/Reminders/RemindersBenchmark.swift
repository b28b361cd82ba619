internal import BelfryKit
internal import Recurrence
internal import VirtualPhone

/// Measures reminders: `swift run -c release reminders-benchmark`.
///
/// Ninety days of a hundred reminders on a simulated phone whose app is opened once a day, and the planning of ten
/// thousand reminders.
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

        let (_, reminders) = try await openedApp()
        let list = try (0..<10_000).map { number in
            let time = ReminderTime(hour: number % 24, minute: number % 60)
            return Reminder("r\(number)", try .every(2, .days, at: time), ReminderContent(title: "Reminder"))
        }
        var started = ContinuousClock.now
        try await reminders.set(list)
        print("10,000 reminders kept and planned: \(started.duration(to: .now))")
        fastest = .seconds(1_000)
        for _ in 0..<roundCount {
            started = ContinuousClock.now
            await reminders.replan()
            fastest = min(fastest, started.duration(to: .now))
        }
        print("10,000 reminders planned again: \(fastest)")
    }

    private static func openedApp() async throws -> (VirtualPhone, Reminders) {
        let phone = try VirtualPhone(at: "2027-03-01T12:00", zone: "America/Los_Angeles")
        try await phone.install(App.self)
        try await phone.open(app)
        _ = try await phone.app(App.self)?.belfry?.permission.request()
        guard let reminders = await phone.app(App.self)?.reminders else {
            throw PhoneError(.app, "the app does not run")
        }
        return (phone, reminders)
    }
}
