import Testing

@testable import VirtualPhone

/// What becomes of a push, by what is in it and where the app is: the decision alone.
@Suite struct PushPlanTests {
    typealias Situation = PushPlan.Situation

    static let visible = PushPlan.Kind(isVisible: true, isContentAvailable: false)
    static let silent = PushPlan.Kind(isVisible: false, isContentAvailable: true)
    static let both = PushPlan.Kind(isVisible: true, isContentAvailable: true)
    static let empty = PushPlan.Kind(isVisible: false, isContentAvailable: false)

    struct Row: Sendable {
        var kind: PushPlan.Kind
        var situation: Situation
        var isShown: Bool
        var app: PushPlan.App
    }

    static let rows: [Row] = [
        Row(kind: visible, situation: .init(state: .active), isShown: true, app: .untouched),
        Row(
            kind: visible, situation: .init(state: .active, hasDelegate: false), isShown: true, app: .called),
        Row(kind: visible, situation: .init(state: .inactive), isShown: true, app: .untouched),
        Row(kind: both, situation: .init(state: .active), isShown: true, app: .called),
        Row(kind: silent, situation: .init(state: .active), isShown: false, app: .called),
        Row(
            kind: silent, situation: .init(state: .active, hasBackgroundMode: false), isShown: false,
            app: .called),
        Row(kind: visible, situation: .init(state: .background), isShown: true, app: .untouched),
        Row(kind: visible, situation: .init(state: .suspended), isShown: true, app: .untouched),
        Row(kind: both, situation: .init(state: .background), isShown: true, app: .woken),
        Row(kind: silent, situation: .init(state: .suspended), isShown: false, app: .woken),
        Row(
            kind: visible, situation: .init(state: .notRunning, lastEnd: .system), isShown: true,
            app: .untouched),
        Row(
            kind: both, situation: .init(state: .notRunning, lastEnd: .system), isShown: true, app: .launched),
        Row(
            kind: silent, situation: .init(state: .notRunning, lastEnd: .crash), isShown: false,
            app: .launched),
        Row(
            kind: silent, situation: .init(state: .notRunning, lastEnd: .reboot), isShown: false,
            app: .launched),
        Row(
            kind: visible, situation: .init(state: .notRunning, lastEnd: .forceQuit), isShown: true,
            app: .untouched),
        Row(
            kind: both, situation: .init(state: .notRunning, lastEnd: .forceQuit), isShown: true,
            app: .dropped("the user has swiped the app away")),
        Row(
            kind: silent, situation: .init(state: .suspended, hasBackgroundMode: false), isShown: false,
            app: .dropped("the app lacks the background mode remote-notification")),
        Row(
            kind: silent, situation: .init(state: .suspended, isRefreshAllowed: false), isShown: false,
            app: .held("Background App Refresh is off")),
        Row(
            kind: both, situation: .init(state: .suspended, isLowPower: true), isShown: true,
            app: .held("Low Power Mode is on")),
        Row(
            kind: empty, situation: .init(state: .suspended), isShown: false,
            app: .dropped("it has neither content-available nor anything to show")),
        Row(
            kind: both, situation: .init(state: .notInstalled), isShown: false,
            app: .dropped("the app is not installed")),
    ]

    @Test(arguments: rows) func `a push is shown, and its app called, as the table says`(_ row: Row) {
        let plan = PushPlan(row.kind, in: row.situation)
        #expect(plan.isShown == row.isShown)
        #expect(plan.app == row.app)
    }
}
