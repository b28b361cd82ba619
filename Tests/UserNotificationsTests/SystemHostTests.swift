import Foundation
import Synchronization
import Testing

@testable import UserNotifications

@Suite(.timeLimit(.minutes(1))) struct SystemHostTests {
    private final class Log: Sendable {
        let lines = Mutex<[String]>([])
        func host(_ directory: URL, grants: Bool = true) -> SystemHost {
            SystemHost(
                bundleIdentifier: "com.example.app", directory: directory, grantsPermission: grants,
                log: { line in self.lines.withLock { $0.append(line) } })
        }
    }

    private static func directory() -> URL {
        FileManager.default.temporaryDirectory.appendingPathComponent("belfry-" + UUID().uuidString)
    }

    @Test func `the schedule is on disk and goes on in the next process`() async throws {
        let directory = Self.directory()
        let log = Log()
        do {
            let center = UNUserNotificationCenter(host: log.host(directory))
            try await center.requestAuthorization(options: [.alert])
            try await center.add(request("a", daily(9)))
            try await center.add(request("b", seconds(3600)))
        }
        let next = UNUserNotificationCenter(host: log.host(directory))
        #expect(await next.notificationSettings().authorizationStatus == .authorized)
        #expect(await next.pendingNotificationRequests().map(\.identifier) == ["a", "b"])
        let file = directory.appendingPathComponent("notifications.json")
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        #expect(log.lines.withLock { $0 } == [])
        try FileManager.default.removeItem(at: directory)
    }

    @Test func `without a screen one line says so, and what fired is in the list`() async throws {
        let directory = Self.directory()
        let log = Log()
        let center = UNUserNotificationCenter(host: log.host(directory))
        try await center.requestAuthorization(options: [.alert])
        try await center.add(request("a", nil))
        try await center.add(request("b", nil))
        await center.service.settle()
        #expect(await center.deliveredNotifications().map { $0.request.identifier } == ["a", "b"])
        let lines = log.lines.withLock { $0 }
        #expect(lines.count == 1)
        #expect(lines.first?.hasPrefix("nothing is shown") == true)
        try FileManager.default.removeItem(at: directory)
    }

    @MainActor @Test func `a timer of the machine delivers`() async throws {
        let directory = Self.directory()
        let center = UNUserNotificationCenter(host: Log().host(directory))
        try await center.requestAuthorization(options: [.alert])
        let delegate = WaitingDelegate()
        center.delegate = delegate
        try await center.add(request("soon", seconds(0.05)))
        await delegate.wait()
        #expect(await center.pendingNotificationRequests() == [])
        try FileManager.default.removeItem(at: directory)
    }

    @Test(arguments: ["", "{", "null", #"{"pending":3}"#, "\u{0}\u{1}"])
    func `a damaged file is set aside and said so`(text: String) async throws {
        let directory = Self.directory()
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let file = directory.appendingPathComponent("notifications.json")
        try Data(text.utf8).write(to: file)
        let log = Log()
        let center = UNUserNotificationCenter(host: log.host(directory))
        #expect(await center.pendingNotificationRequests() == [])
        #expect(log.lines.withLock { $0.first?.contains("set aside") } == true)
        #expect(FileManager.default.contents(atPath: file.path + ".damaged") == Data(text.utf8))
        try FileManager.default.removeItem(at: directory)
    }

    @Test func `a permission that is refused stays refused`() async throws {
        let directory = Self.directory()
        let center = UNUserNotificationCenter(host: Log().host(directory, grants: false))
        #expect(try await center.requestAuthorization(options: [.alert]) == false)
        try FileManager.default.removeItem(at: directory)
    }

    @Test func `a host that goes away with its centre leaves nothing running`() async throws {
        let directory = Self.directory()
        weak var gone: UNUserNotificationCenter?
        weak var goneService: NotificationService?
        weak var goneHost: SystemHost?
        do {
            let host = Log().host(directory)
            let center = UNUserNotificationCenter(host: host)
            (gone, goneService, goneHost) = (center, center.service, host)
            try await center.requestAuthorization(options: [.alert])
            try await center.add(request("a", daily(9)))
            await center.service.settle()
        }
        #expect(gone == nil && goneService == nil && goneHost == nil)
        try? FileManager.default.removeItem(at: directory)
    }
}

@MainActor
private final class WaitingDelegate: NSObject, UNUserNotificationCenterDelegate {
    private var isCalled = false
    private var waiter: CheckedContinuation<Void, Never>?

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification
    ) async -> UNNotificationPresentationOptions {
        isCalled = true
        waiter?.resume()
        waiter = nil
        return []
    }

    func wait() async {
        if isCalled { return }
        await withCheckedContinuation { waiter = $0 }
    }
}
