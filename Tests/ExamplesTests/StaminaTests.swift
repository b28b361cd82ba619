import BelfryKit
import Stamina
import Testing
import VirtualPhone

final class StaminaApp: BelfryApp {
    static let manifest = AppManifest(bundleIdentifier: "com.example.Stamina", name: "Stamina")
    var belfry: Belfry?
    var bar: StaminaBar?
    /// What the player says to the game's own question.
    let wantsToKnow: Bool

    init() { wantsToKnow = true }
    init(wantsToKnow: Bool) { self.wantsToKnow = wantsToKnow }

    func makeBelfry(_ application: Application) -> Belfry {
        let reminders = Reminders(application: application)
        let belfry = Belfry(
            service: nil, application: application, hooks: Belfry.Hooks(reminders: reminders))
        let wantsToKnow = wantsToKnow
        bar = StaminaBar(
            belfry: belfry, reminders: reminders, storage: application.storage, time: PhoneTime(application)
        ) { wantsToKnow }
        return belfry
    }
}

@Suite(.timeLimit(.minutes(5))) struct StaminaTests {
    private static let app = StaminaApp.manifest.bundleIdentifier

    private func openedGame(wantsToKnow: Bool = true) async throws -> (VirtualPhone, StaminaBar) {
        let phone = try VirtualPhone(at: "2027-03-01T20:00", zone: "Asia/Shanghai")
        try await phone.install(StaminaApp.manifest) { StaminaApp(wantsToKnow: wantsToKnow) }
        try await phone.open(Self.app)
        return (phone, try #require(await phone.app(StaminaApp.self)?.bar))
    }

    @Test func `energy that was spent in the evening is back at eight, and the game says so once`()
        async throws
    {
        let (phone, bar) = try await openedGame()
        #expect(await bar.points == 120)
        #expect(try await bar.spend(120))
        #expect(try await bar.spend(1) == false)
        await phone.goHome()
        await phone.advance(days: 3)
        #expect(phone.shownTimes == ["03-02 08:00"])
        #expect(phone.shownTexts == ["Full of energy · All 120 points are back."])
    }

    @Test func `each level that is played takes the place of the former reminder`() async throws {
        let (phone, bar) = try await openedGame()
        #expect(try await bar.spend(40))
        await phone.advance(by: .seconds(3600))
        #expect(await bar.points == 90)
        #expect(try await bar.spend(20))
        #expect(phone.state.app(Self.app)?.pendingCount == 1)
        await phone.goHome()
        await phone.advance(days: 1)
        #expect(phone.shownTimes == ["03-02 02:00"])
    }

    @Test func `a refill leaves nothing to say`() async throws {
        let (phone, bar) = try await openedGame()
        #expect(try await bar.spend(40))
        try await bar.refill()
        await phone.goHome()
        await phone.advance(days: 1)
        #expect(phone.shownTimes == [])
    }

    @Test func `energy does not know time zones`() async throws {
        let (phone, bar) = try await openedGame()
        #expect(try await bar.spend(60))
        await phone.goHome()
        await phone.advance(by: .seconds(3600))
        try await phone.setZone("Europe/London")
        try await phone.open(Self.app)
        await phone.goHome()
        await phone.advance(days: 1)
        // Two in the morning in Shanghai.
        #expect(phone.shownTimes == ["03-01 18:00"])
    }

    @Test func `the player who is playing sees the bar and no banner`() async throws {
        let (phone, bar) = try await openedGame()
        #expect(try await bar.spend(10))
        await phone.advance(by: .seconds(3601))
        #expect(await bar.points == 120)
        #expect(phone.shownTimes == [])
    }

    @Test func `a player who does not want to know is not asked by the system`() async throws {
        let (phone, bar) = try await openedGame(wantsToKnow: false)
        #expect(try await bar.spend(40))
        #expect(phone.journal(.asked) == [])
        await phone.goHome()
        await phone.advance(days: 1)
        #expect(phone.shownTimes == [])
    }
}
