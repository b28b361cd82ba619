import BelfryKit
import Testing
import Todo
import VirtualPhone

final class TodoApp: BelfryApp {
    static let manifest = AppManifest(bundleIdentifier: "com.example.Todo", name: "Todo")
    var belfry: Belfry?
    var list: TodoList?

    func makeBelfry(_ application: Application) -> Belfry {
        let reminders = Reminders(application: application)
        let belfry = Belfry(
            service: nil, application: application, hooks: Belfry.Hooks(reminders: reminders))
        list = TodoList(
            belfry: belfry, reminders: reminders, storage: application.storage, time: PhoneTime(application))
        return belfry
    }
}

@Suite(.timeLimit(.minutes(5))) struct TodoTests {
    private static let app = TodoApp.manifest.bundleIdentifier
    private let milk = TodoItem(id: "milk", title: "Buy milk", due: "2027-03-01T18:00")

    private func openedApp() async throws -> (VirtualPhone, TodoList) {
        let phone = try VirtualPhone(at: "2027-03-01T09:00", zone: "America/New_York")
        try await phone.install(TodoApp.self)
        try await phone.open(Self.app)
        return (phone, try #require(await phone.app(TodoApp.self)?.list))
    }

    @Test func `an item is announced half an hour before it is due`() async throws {
        let (phone, list) = try await openedApp()
        try await list.save(milk)
        await phone.goHome()
        await phone.advance(days: 1)
        #expect(phone.shownTimes == ["03-01 17:30"])
        #expect(phone.shownTexts == ["Buy milk · Due at 18:00"])
    }

    @Test func `an item that is edited is announced at its new time only, and one that is done not at all`()
        async throws
    {
        let (phone, list) = try await openedApp()
        try await list.save(milk)
        try await list.save(TodoItem(id: "rent", title: "Pay the rent", due: "2027-03-01T20:00"))
        var later = milk
        (later.title, later.due, later.minutesBefore) = ("Buy oat milk", "2027-03-02T09:00", 60)
        try await list.save(later)
        try await list.complete("rent")
        await phone.goHome()
        await phone.advance(days: 2)
        #expect(phone.shownTimes == ["03-02 08:00"])
        #expect(phone.shownTexts == ["Buy oat milk · Due at 09:00"])
    }

    @Test func `Done on the lock screen marks the item without opening the app`() async throws {
        let (phone, list) = try await openedApp()
        try await list.save(milk)
        await phone.goHome()
        try await phone.terminate(Self.app)
        await phone.lock()
        try await phone.advance(toNext: "17:30")
        let reminder = try #require(phone.state.lockScreen.first)
        #expect(reminder.actions.map(\.title) == ["Done", "In 10 Minutes"])
        try await phone.act(reminder.id, action: "done")
        #expect(await phone.app(TodoApp.self)?.list?.items.map(\.isDone) == [true])
        #expect(phone.state.front == nil)
        #expect(phone.isLocked)
    }

    @Test func `In 10 Minutes says it again ten minutes later`() async throws {
        let (phone, list) = try await openedApp()
        try await list.save(milk)
        await phone.goHome()
        try await phone.advance(toNext: "17:31")
        try await phone.act(try #require(phone.state.list.first).id, action: "later")
        await phone.advance(days: 1)
        #expect(phone.shownTimes == ["03-01 17:30", "03-01 17:41"])
    }

    @Test(arguments: [true, false])
    func `a tap opens the item, also when the app has to be started for it`(isRunning: Bool) async throws {
        let (phone, list) = try await openedApp()
        try await list.save(milk)
        await phone.goHome()
        if !isRunning { try await phone.forceQuit(Self.app) }
        try await phone.advance(toNext: "17:30")
        try await phone.tap(try #require(phone.state.banner).id)
        #expect(await phone.app(TodoApp.self)?.list?.openItem == "milk")
    }

    @Test func `an item that is due in a moment is announced at once, an overdue one never`() async throws {
        let (phone, list) = try await openedApp()
        try await list.save(TodoItem(id: "call", title: "Call Ann", due: "2027-03-01T09:05"))
        try await list.save(TodoItem(id: "old", title: "Too late", due: "2027-03-01T08:00"))
        await phone.goHome()
        await phone.advance(days: 1)
        #expect(phone.shownTexts == ["Call Ann · Due at 09:05"])
        #expect(phone.shownTimes.first?.hasPrefix("03-01 09:00") == true)
    }

    @Test func `a time that is none is refused and changes nothing`() async throws {
        let (_, list) = try await openedApp()
        try await list.save(milk)
        var wrong = milk
        wrong.due = "tonight"
        await #expect(throws: BelfryKitError.self) { try await list.save(wrong) }
        #expect(await list.items == [milk])
    }
}
