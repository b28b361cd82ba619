import Foundation
import Recurrence
import Testing

@testable import UserNotifications

@Suite struct MachineTests {
    private static func machine() -> NotificationCenterMachine {
        var machine = NotificationCenterMachine()
        machine.answerPrompt(
            isAllowed: true, options: [.alert, .sound, .badge], surroundings: NotificationSurroundings(),
            policy: NotificationPolicy())
        return machine
    }

    private static func record(_ identifier: String, _ trigger: TriggerRecord? = nil) -> RequestRecord {
        var content = ContentRecord()
        content.title = "t"
        return RequestRecord(identifier: identifier, content: content, trigger: trigger)
    }

    private static func context(
        _ seconds: Int64, _ policy: NotificationPolicy = NotificationPolicy()
    )
        -> TriggerContext
    {
        TriggerContext(now: Instant(secondsSince1970: seconds), zone: .utc, policy: policy)
    }

    @Test func `the list of delivered notifications is bounded, the oldest go`() {
        var machine = Self.machine()
        for number in 0...NotificationCenterMachine.deliveredCountMax {
            _ = machine.add(
                Self.record("\(number)"), in: Self.context(0), surroundings: NotificationSurroundings())
        }
        #expect(machine.state.delivered.count == NotificationCenterMachine.deliveredCountMax)
        #expect(machine.state.delivered.first?.identifier == "1")
    }

    @Test func `a year of missed minutes ends, with a bounded number of deliveries`() {
        var policy = NotificationPolicy()
        policy.missedRepeats = .all
        var machine = Self.machine()
        _ = machine.add(
            Self.record("a", .interval(seconds: 60, repeats: true)), in: Self.context(0, policy),
            surroundings: NotificationSurroundings())
        let actions = machine.fire(
            in: Self.context(366 * 86_400, policy), surroundings: NotificationSurroundings())
        #expect(actions.count == NotificationCenterMachine.missedCountMax)
        #expect(machine.state.delivered.last?.date == Instant(secondsSince1970: 366 * 86_400))
        #expect(machine.nextWake == Instant(secondsSince1970: 366 * 86_400 + 60))
    }

    @Test func `what is due together comes in the order of dates, then of addition`() {
        var machine = Self.machine()
        for (name, seconds) in [("c", 30.0), ("a", 10), ("b", 10)] {
            _ = machine.add(
                Self.record(name, .interval(seconds: seconds, repeats: false)), in: Self.context(0),
                surroundings: NotificationSurroundings())
        }
        _ = machine.fire(in: Self.context(60), surroundings: NotificationSurroundings())
        #expect(machine.state.delivered.map(\.identifier) == ["a", "b", "c"])
    }

    @Test func `in the foreground nothing is shown before the app has answered, nor twice`() {
        var machine = Self.machine()
        let foreground = NotificationSurroundings(isForeground: true)
        let (_, actions) = machine.add(Self.record("a"), in: Self.context(0), surroundings: foreground)
        guard case .ask(let notification) = actions.first else {
            Issue.record("not asked: \(actions)")
            return
        }
        #expect(machine.state.delivered.isEmpty)
        #expect(machine.present(notification, options: [.list], surroundings: foreground).count == 1)
        #expect(machine.present(notification, options: [.list], surroundings: foreground).isEmpty)
        #expect(machine.state.delivered.count == 1)
    }

    @Test func `a permission that is taken away lets nothing through, and a state survives its own JSON`()
        throws
    {
        var machine = Self.machine()
        var parts = CalendarMatch()
        parts.hour = 9
        _ = machine.add(
            Self.record("a", .calendar(parts, repeats: true)), in: Self.context(0),
            surroundings: NotificationSurroundings())
        _ = machine.add(Self.record("b"), in: Self.context(0), surroundings: NotificationSurroundings())
        #expect(try NotificationState(decoding: machine.state.encoded()) == machine.state)
        machine.changeSettings { $0.authorizationStatus = UNAuthorizationStatus.denied.rawValue }
        #expect(machine.fire(in: Self.context(86_400), surroundings: NotificationSurroundings()).isEmpty)
    }

    @Test func `user info keeps the kinds of its values, and refuses what is no property list`() async throws
    {
        let device = try Device()
        UNUserNotificationCenter.withCurrent(device.center) {
            let made = UNMutableNotificationContent()
            made.userInfo = [
                "one": NSNumber(value: 1), "yes": NSNumber(value: true), "half": NSNumber(value: 0.5),
                "int": 1,
                "array": NSArray(array: [1, "a"]), "text": NSString(string: "s"), "float": Float(2),
            ]
            #expect(made.record.userInfo["one"] == .integer(1))
            #expect(made.record.userInfo["yes"] == .bool(true))
            #expect(made.record.userInfo["half"] == .number(0.5))
            #expect(made.record.userInfo["int"] == .integer(1))
            #expect(made.record.userInfo["array"] == .array([.integer(1), .string("a")]))
            #expect(made.record.userInfo["text"] == .string("s"))
            #expect(made.record.userInfo["float"] == .number(2))
            made.userInfo = ["object": NSObject()]
            made.userInfo = [5: "number as key"]
            var nested: Any = 1
            for _ in 0...PropertyValue.depthMax { nested = [nested] }
            made.userInfo = ["deep": nested]
            #expect(made.record.userInfo["one"] == .integer(1))
        }
        #expect(device.host.diagnoses.count == 3)
    }
}
