import APNs
import Foundation
import Testing
import UserNotifications
import VirtualPhone

final class NewsApp: NSObject, PhoneApp, UNUserNotificationCenterDelegate {
    static let manifest = AppManifest(bundleIdentifier: "com.example.News", name: "News")
    var opened: [String] = []

    func application(
        _ application: Application, didFinishLaunchingWithOptions launchOptions: LaunchOptions
    ) -> Bool {
        UNUserNotificationCenter.current().delegate = self
        UNUserNotificationCenter.current().requestAuthorization(options: [.alert, .badge]) { _, _ in }
        application.registerForRemoteNotifications()
        return true
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) {
        opened.append(response.notification.request.content.userInfo["article"] as? String ?? "")
        completionHandler()
    }
}

@Suite(.timeLimit(.minutes(5))) struct NewsStoryTests {
    @Test func `the nine o'clock digest opens its article, also when the app was swiped away`() async throws {
        let phone = try VirtualPhone(at: "2027-03-01T08:00", zone: "Asia/Shanghai")
        try await phone.install(NewsApp.self)
        try await phone.open("com.example.News")
        try await phone.forceQuit("com.example.News")
        try await phone.advance(toNext: "09:00")
        await phone.lock()
        try await phone.push(["aps": ["alert": "Good morning"], "article": "42"], to: "com.example.News")
        try await phone.tap(try #require(phone.state.lockScreen.first).id)
        #expect(await phone.app(NewsApp.self)?.opened == ["42"])
        #expect(phone.state.front == "com.example.News")
    }

    @Test func `the README shows this story`() throws {
        let source = try String(contentsOfFile: #filePath, encoding: .utf8)
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let readme = try String(contentsOf: root.appendingPathComponent("README.md"), encoding: .utf8)
        let section = try #require(
            readme.split(separator: "## Test an app on a simulated iPhone").dropFirst().first)
        let block = try #require(
            section.split(separator: "```swift\n").dropFirst().first?.split(separator: "```").first)
        let lines = Set(source.split(separator: "\n").map { $0.drop { $0 == " " } })
        for line in block.split(separator: "\n").map({ $0.drop { $0 == " " } }) where line != "…" {
            #expect(lines.contains(line), "\(line)")
        }
    }
}
