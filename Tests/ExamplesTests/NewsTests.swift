import APNs
import BelfryKit
import News
import Testing
import VirtualPhone

final class NewsApp: BelfryApp {
    static let manifest = AppManifest(
        bundleIdentifier: "com.example.News", name: "News", backgroundModes: [.remoteNotification])
    var belfry: Belfry?
    var reader: NewsReader?
    private let service: RecordingService

    init() { service = RecordingService() }
    init(_ service: RecordingService) { self.service = service }

    func makeBelfry(_ application: Application) -> Belfry {
        let belfry = Belfry(
            service: RecordingService.address, application: application, transport: service)
        reader = NewsReader(belfry: belfry)
        return belfry
    }
}

@Suite(.timeLimit(.minutes(5))) struct NewsTests {
    private static let app = NewsApp.manifest.bundleIdentifier
    private let service = RecordingService()

    private func openedApp(
        permission: PermissionAnswer = .allow
    ) async throws -> (VirtualPhone, NewsReader) {
        let phone = try VirtualPhone(at: "2027-03-01T08:00", zone: "Asia/Shanghai", permission: permission)
        let service = service
        try await phone.install(NewsApp.manifest) { NewsApp(service) }
        try await phone.open(Self.app)
        return (phone, try #require(await phone.app(NewsApp.self)?.reader))
    }

    @Test func `the switch tells the truth, whatever the user does in Settings`() async throws {
        let (phone, reader) = try await openedApp()
        #expect(await reader.notifications == .off)
        try await reader.setNotifications(true)
        #expect(await reader.notifications == .on)
        #expect(phone.journal(.asked).count == 1)

        await phone.goHome()
        try await phone.changeSettings(of: Self.app) { $0.allowsNotifications = false }
        try await phone.open(Self.app)
        #expect(await reader.notifications == .offInSettings)
        try await reader.setNotifications(true)
        await phone.settle()
        #expect(phone.journal(.settingsOpened).count == 1)
        try await phone.changeSettings(of: Self.app) { $0.allowsNotifications = true }
        try await phone.open(Self.app)
        #expect(await reader.notifications == .on)

        try await reader.setNotifications(false)
        #expect(await reader.notifications == .off)
        await phone.settle()
        #expect(service.bodies("installations").last?["valid"] == false)
        #expect(phone.journal(.asked).count == 1)
    }

    @Test func `an article that is read becomes an event, now or when there is a network`() async throws {
        let (phone, reader) = try await openedApp()
        await phone.settle()
        service.status = 0
        try await reader.read(Article(id: "final", tags: ["sports", "tennis"]))
        #expect(await reader.openArticle == "final")
        await phone.settle()
        // The process ends before the network is back.
        try await phone.forceQuit(Self.app)
        service.status = 200
        try await phone.open(Self.app)
        let again = try #require(await phone.app(NewsApp.self)?.reader)
        try await again.read(Article(id: "budget", tags: ["politics"]))
        await phone.settle()
        // The first attempt got no answer.
        let events = service.bodies("events").dropFirst().flatMap { body -> [PayloadValue] in
            guard case .array(let events)? = body["events"] else { return [] }
            return events
        }
        #expect(events.map { $0["article"] } == ["final", "budget"])
        #expect(events.map { $0["tags"] } == [["sports", "tennis"], ["politics"]])
        #expect(events.allSatisfy { $0["installation"] == "row1" && $0["name"] == "read" })
    }

    @Test(arguments: [true, false])
    func `the nine o'clock digest opens its article, also when the app was swiped away`(
        isRunning: Bool
    ) async throws {
        let (phone, reader) = try await openedApp()
        try await reader.setNotifications(true)
        await phone.goHome()
        if !isRunning { try await phone.forceQuit(Self.app) }
        await phone.lock()
        try await phone.advance(toNext: "09:00")
        try await phone.push(
            ["aps": ["alert": "Your morning: the final"], "article": "final"], to: Self.app,
            collapseID: "0123456789abcdef")
        #expect(phone.shownTimes == ["03-01 09:00"])
        try await phone.tap(try #require(phone.state.lockScreen.first).id)
        #expect(await phone.app(NewsApp.self)?.reader?.openArticle == "final")
        let opens = service.bodies("stats/open/collect")
        #expect(opens.count == 1)
    }

    @Test func `an article that is only fetched waits in the app`() async throws {
        let (phone, reader) = try await openedApp()
        try await reader.setNotifications(true)
        await phone.goHome()
        try await phone.push(["aps": ["content-available": 1], "article": "budget"], to: Self.app)
        #expect(await reader.fetched == ["budget"])
        #expect(phone.shownTimes == [])
    }
}
