import Foundation
import Recurrence
import Testing

@testable import BelfryKit

/// The machine alone: what happened before, and what the handler gets.
struct RouterMachineTests {
    private static let note = ReceivedNotification(
        identifier: "n", source: .remote, date: Instant(secondsSince1970: 1), body: "b")
    private static let tap = ReceivedResponse(notification: note, gesture: .tap)

    /// Events of the machine in a short form.
    enum Step: Sendable {
        case launch(LaunchCause, ApplicationPhase)
        case foreground, active, resign, background, other
        case tap, dismiss
        case badge(Int)
    }

    private func run(_ steps: [Step]) -> [NotificationEvent] {
        var machine = RouterMachine()
        machine.attachHandler()
        var events: [NotificationEvent] = []
        var badge = 0
        for step in steps {
            switch step {
            case .launch(let cause, let phase): machine.launch(cause, in: phase)
            case .foreground: machine.enterForeground()
            case .active: machine.becomeActive()
            case .resign: machine.resignActive()
            case .background: machine.enterBackground()
            case .other: machine.openOtherwise()
            case .tap: _ = machine.receive(Self.tap)
            case .dismiss:
                _ = machine.receive(ReceivedResponse(notification: Self.note, gesture: .dismiss))
            case .badge(let count): badge = count
            }
            if case .active = step { continue }
            drain(&machine, badge, &events)
        }
        drain(&machine, badge, &events)
        return events
    }

    private func drain(_ machine: inout RouterMachine, _ badge: Int, _ events: inout [NotificationEvent]) {
        while true {
            switch machine.next() {
            case .none: return
            case .readBadge: machine.readBadge(badge)
            case .deliver(let event):
                events.append(event)
                machine.delivered()
            }
        }
    }

    static let table: [(String, [Step], [NotificationEvent])] = [
        ("cold, by icon, no badge", [.launch(.plain, .inactive), .active], []),
        (
            "cold, by icon, badge", [.badge(3), .launch(.plain, .inactive), .active],
            [.openedByIcon(badge: 3)]
        ),
        (
            "cold, by tap", [.badge(3), .launch(.remoteNotification(note), .inactive), .tap, .active],
            [.opened(note, phase: .inactive)]
        ),
        (
            "cold, by tap, before the launch is told", [.badge(3), .tap, .active],
            [.opened(note, phase: .launching)]
        ),
        (
            "cold, by tap on a local one",
            [.badge(3), .launch(.localNotification, .inactive), .tap, .active],
            [.opened(note, phase: .inactive)]
        ),
        (
            "cold, by tap that comes after active",
            [.badge(3), .launch(.plain, .inactive), .active, .tap], [.opened(note, phase: .active)]
        ),
        ("cold, by a link", [.badge(3), .launch(.other, .inactive), .active], []),
        (
            "launched into the background for a push, opened by icon later",
            [.badge(1), .launch(.remoteNotification(note), .background), .foreground, .active],
            [.openedByIcon(badge: 1)]
        ),
        (
            "background, tap: it arrives inactive",
            [.badge(1), .launch(.plain, .inactive), .background, .foreground, .tap, .active],
            [.opened(note, phase: .inactive)]
        ),
        (
            "background, by icon",
            [.launch(.plain, .inactive), .active, .resign, .background, .badge(2), .foreground, .active],
            [.openedByIcon(badge: 2)]
        ),
        (
            "background, by icon, badge 0",
            [.launch(.plain, .inactive), .active, .background, .foreground, .active], []
        ),
        (
            "background, by a link",
            [.badge(2), .launch(.other, .inactive), .active, .background, .foreground, .other, .active], []
        ),
        (
            "an alert of the system over the app is no opening",
            [.launch(.plain, .inactive), .active, .badge(0), .badge(2), .resign, .active], []
        ),
        (
            "foreground, tap on a banner", [.launch(.plain, .inactive), .active, .tap],
            [.opened(note, phase: .active)]
        ),
        (
            "background, dismissed", [.launch(.plain, .background), .dismiss],
            [.dismissed(note, phase: .background)]
        ),
        (
            "background, dismissed, then by icon",
            [.badge(1), .launch(.plain, .background), .dismiss, .foreground, .active],
            [.dismissed(note, phase: .background), .openedByIcon(badge: 1)]
        ),
        (
            "the same response twice", [.launch(.plain, .inactive), .tap, .tap],
            [.opened(note, phase: .inactive)]
        ),
    ]

    @Test(arguments: table.indices) func `each way to the front has its events`(index: Int) {
        let (name, steps, events) = Self.table[index]
        #expect(run(steps) == events, "\(name)")
    }

    @Test func `nothing is given before a handler is there, and everything once it is, in order`() {
        var machine = RouterMachine()
        _ = machine.receive(Self.tap)
        machine.present(Self.note)
        #expect(machine.next() == .none)
        machine.attachHandler()
        #expect(machine.next() == .deliver(.opened(Self.note, phase: .launching)))
        #expect(machine.next() == .none, "one at a time")
        machine.delivered()
        #expect(machine.next() == .deliver(.arrived(Self.note)))
        machine.delivered()
        #expect(machine.next() == .none)
        #expect(machine.isSettled)
    }

    @Test func `what waits is bounded, and the newest stay`() {
        var machine = RouterMachine()
        for number in 0..<(RouterMachine.waitingCountMax + 5) {
            var note = Self.note
            note.identifier = String(number)
            machine.present(note)
        }
        #expect(machine.droppedCount == 5)
        machine.attachHandler()
        guard case .deliver(.arrived(let first)) = machine.next() else {
            Issue.record("an event is due")
            return
        }
        #expect(first.identifier == "5")
    }

    @Test func `a reminder that is answered on two days is two responses`() {
        var machine = RouterMachine()
        var later = Self.tap
        later.notification.date = Instant(secondsSince1970: 86_401)
        let outcomes = [machine.receive(Self.tap), machine.receive(later), machine.receive(Self.tap)]
        #expect(outcomes == [true, true, false])
    }
}
