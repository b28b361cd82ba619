import BelfryKit
import Recurrence
import Testing
import VirtualPhone
import WashHands

final class WashHandsApp: BelfryApp {
    static let manifest = AppManifest(bundleIdentifier: "com.example.WashHands", name: "Wash Hands")
    var belfry: Belfry?
    var screen: WashHandsScreen?

    func makeBelfry(_ application: Application) -> Belfry {
        let reminders = Reminders(application: application)
        let belfry = Belfry(
            service: nil, application: application, hooks: Belfry.Hooks(reminders: reminders))
        screen = WashHandsScreen(belfry: belfry, reminders: reminders, storage: application.storage)
        return belfry
    }
}

@Suite(.timeLimit(.minutes(5))) struct WashHandsTests {
    private static let app = WashHandsApp.manifest.bundleIdentifier

    private func openedApp(
        _ time: String, zone: String = "Europe/Berlin", permission: PermissionAnswer = .allow
    ) async throws -> (VirtualPhone, WashHandsScreen) {
        let phone = try VirtualPhone(at: time, zone: zone, permission: permission)
        try await phone.install(WashHandsApp.self)
        try await phone.open(Self.app)
        return (phone, try #require(await phone.app(WashHandsApp.self)?.screen))
    }

    @Test func `every two hours from eight to eight, on working days`() async throws {
        let (phone, screen) = try await openedApp("2027-03-01T07:00")
        await screen.choose(WashHandsSettings())
        #expect(await screen.problem == nil)
        #expect(await screen.upcoming.first?.description == "2027-03-01T08:00:00")
        await phone.goHome()
        await phone.advance(days: 7)
        let expected = (1...5).flatMap { day in
            ["08", "10", "12", "14", "16", "18", "20"].map { "03-0\(day) \($0):00" }
        }
        #expect(phone.shownTimes == expected)
        #expect(Set(phone.shownTexts) == ["Wash your hands · Twenty seconds, with soap."])
    }

    @Test func `a night nurse's window belongs to the evening on which it starts`() async throws {
        let (phone, screen) = try await openedApp("2027-03-01T12:00")
        var settings = WashHandsSettings()
        (settings.start, settings.end, settings.minutesBetween) = ("22:00", "06:00", 240)
        settings.days = [1]
        await screen.choose(settings)
        await phone.goHome()
        await phone.advance(days: 7)
        #expect(phone.shownTimes == ["03-01 22:00", "03-02 02:00", "03-02 06:00"])
    }

    @Test func `eight o'clock stays eight o'clock when the clocks change`() async throws {
        let (phone, screen) = try await openedApp("2027-03-27T07:00")
        var settings = WashHandsSettings()
        (settings.end, settings.minutesBetween, settings.days) = ("12:00", 240, [1, 2, 3, 4, 5, 6, 7])
        await screen.choose(settings)
        await phone.goHome()
        await phone.advance(days: 2)
        #expect(
            phone.shownTimes == ["03-27 08:00", "03-27 12:00", "03-28 08:00", "03-28 12:00", "03-29 08:00"])
    }

    @Test func `a choice without a day is refused with a reason, and the old one stays in force`()
        async throws
    {
        let (phone, screen) = try await openedApp("2027-03-01T07:00")
        await screen.choose(WashHandsSettings())
        var wrong = WashHandsSettings()
        wrong.days = []
        await screen.choose(wrong)
        #expect(await screen.problem?.contains("no day") == true)
        #expect(await screen.settings == WashHandsSettings())
        await phone.goHome()
        await phone.advance(by: .seconds(3 * 3600 + 1))
        #expect(phone.shownTimes == ["03-01 08:00", "03-01 10:00"])
    }

    @Test func `the switch turns it off, and the choice survives the app`() async throws {
        let (phone, screen) = try await openedApp("2027-03-01T07:00")
        var settings = WashHandsSettings()
        settings.minutesBetween = 60
        await screen.choose(settings)
        settings.isOn = false
        await screen.choose(settings)
        try await phone.forceQuit(Self.app)
        await phone.advance(days: 2)
        #expect(phone.shownTimes == [])
        try await phone.open(Self.app)
        #expect(await phone.app(WashHandsApp.self)?.screen?.settings == settings)
    }

    @Test func `a user who said no is told so, and the reminders come once Settings allow them`() async throws
    {
        let (phone, screen) = try await openedApp("2027-03-01T07:00", permission: .deny)
        await screen.choose(WashHandsSettings())
        #expect(await screen.notice?.contains("Settings") == true)
        await phone.goHome()
        await phone.advance(days: 1)
        #expect(phone.shownTimes == [])
        try await phone.changeSettings(of: Self.app) { $0.allowsNotifications = true }
        try await phone.open(Self.app)
        await phone.goHome()
        await phone.advance(by: .seconds(3600))
        #expect(phone.shownTimes == ["03-02 08:00"])
    }
}
