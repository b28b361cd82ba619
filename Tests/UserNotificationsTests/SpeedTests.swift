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

    @Test func `ten thousand requests are added, listed and taken back`() async throws {
        var policy = NotificationPolicy()
        policy.pendingCountMax = 10_000
        let device = try await Device.allowed(policy: policy)
        let made = (0..<10_000).map { request("\($0)", daily($0 % 24, $0 / 24 % 60)) }
        let clock = ContinuousClock()
        let start = clock.now
        for request in made { device.center.add(request, withCompletionHandler: nil) }
        await device.settle()
        print("speed: 10,000 requests added", start.duration(to: clock.now))
        let listing = clock.now
        #expect(await device.center.pendingNotificationRequests().count == 10_000)
        print("speed: 10,000 requests listed", listing.duration(to: clock.now))
        let firing = clock.now
        await device.advance(days: 1)
        print("speed: 10,000 requests fired", firing.duration(to: clock.now))
        #expect(device.host.shown.count == 10_000)
        device.center.removePendingNotificationRequests(withIdentifiers: made.map(\.identifier))
        #expect(await device.pendingIdentifiers() == [])
    }

    @Test func `a state of 64 requests is written to a disk`() throws {
        var machine = NotificationCenterMachine()
        machine.answerPrompt(
            isAllowed: true, options: [.alert], surroundings: NotificationSurroundings(),
            policy: NotificationPolicy())
        let context = TriggerContext(now: Instant(secondsSince1970: 0), zone: .utc)
        for number in 0..<64 {
            _ = machine.add(
                request("\(number)", daily(9)).record, in: context, surroundings: NotificationSurroundings())
        }
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: directory) }
        let file = StateFile(url: directory.appendingPathComponent("s"))
        let clock = ContinuousClock()
        let start = clock.now
        for _ in 0..<20 { try file.save(machine.state) }
        print("speed: a state of 64 requests saved", start.duration(to: clock.now) / 20)
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
