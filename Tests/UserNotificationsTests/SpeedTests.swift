import Foundation
import Recurrence
import Testing

@testable import UserNotifications

/// Figures of a release build, printed when `BELFRY_SPEED` is set: not for debug builds.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["BELFRY_SPEED"] != nil))
struct SpeedTests {
    @Test func `dates are found in microseconds`() throws {
        let zone = try Zone("America/Los_Angeles")
        let shapes: [(String, DateComponents)] = [
            ("daily", components(hour: 9, minute: 30)), ("weekly", components(weekday: 2, hour: 9)),
            ("day 31", components(day: 31, hour: 9)),
            ("second Tuesday", components(weekday: 3, ordinal: 2, hour: 9)),
            ("29 February", components(month: 2, day: 29)), ("Friday 13th", components(day: 13, weekday: 6)),
            ("past date", components(year: 2020, month: 1, day: 1)),
            ("impossible day", components(month: 2, day: 31, weekday: 2)),
        ]
        for (name, shape) in shapes {
            let match = CalendarMatch(shape)
            var now = Instant(secondsSince1970: 1_780_000_000)
            let context = TriggerContext(now: now, zone: zone)
            let clock = ContinuousClock()
            let start = clock.now
            let count = 10_000
            for _ in 0..<count {
                guard let next = match.next(after: now, in: context) else { continue }
                now = next.secondsSince1970 > 3_900_000_000 ? Instant(secondsSince1970: 1_780_000_000) : next
            }
            print("speed: \(name)", start.duration(to: clock.now) / count)
        }
    }

    @Test func `ninety days of a hundred daily reminders take under a second`() async throws {
        var policy = NotificationPolicy()
        policy.pendingCountMax = 100
        let device = try await Device.allowed(policy: policy)
        for number in 0..<100 {
            device.center.add(
                request("\(number)", daily(number % 24, number / 24 * 10)), withCompletionHandler: nil)
        }
        let clock = ContinuousClock()
        let start = clock.now
        await device.advance(days: 90)
        let elapsed = start.duration(to: clock.now)
        print("speed: 90 days of 100 reminders", elapsed)
        #expect(elapsed < .seconds(1))
    }
}
