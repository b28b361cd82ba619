import Dispatch
import Foundation
import Recurrence
import Synchronization
import Testing

@testable import UserNotifications

@Suite(.timeLimit(.minutes(5))) struct SystemHostTests {
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

    @Test
    func `many requests at once are written a few times, each one that was answered for is on the disk`()
        async throws
    {
        let host = try CountingHost()
        let center = UNUserNotificationCenter(host: host)
        try await center.requestAuthorization(options: [.alert])
        let before = host.saves.withLock { $0 }
        let count = 1000
        // Held up, so that all are waiting when the first one is done.
        center.service.submit { host.gate.wait() }
        await withTaskGroup(of: Bool.self) { group in
            for number in 0..<count {
                let made = request("\(number)", seconds(Double(60 + number)))
                let answered = AsyncStream<Bool>.makeStream()
                center.add(made) { _ in
                    // What is told to be done was saved before.
                    let isSaved = host.saved.withLock { $0?.pending["\(number)"] != nil }
                    answered.continuation.yield(isSaved)
                    answered.continuation.finish()
                }
                group.addTask { await answered.stream.first { _ in true } ?? false }
            }
            host.gate.signal()
            for await isSaved in group { #expect(isSaved) }
        }
        let saves = host.saves.withLock { $0 } - before
        let most = count / NotificationService.eventsPerSaveMax + 2
        #expect((1...most).contains(saves), "\(saves)")
        // One that is waited for is saved by itself, and a question saves nothing.
        try await center.add(request("last", seconds(60)))
        #expect(host.saves.withLock { $0 } - before == saves + 1)
        _ = await center.pendingNotificationRequests()
        #expect(host.saves.withLock { $0 } - before == saves + 1)
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

/// Counts what is saved, and keeps the last of it.
private final class CountingHost: NotificationHost {
    let saves = Mutex(0)
    let saved = Mutex<NotificationState?>(nil)
    let gate = DispatchSemaphore(value: 0)
    private let clock: VirtualNotificationHost

    init() throws {
        var policy = NotificationPolicy()
        policy.pendingCountMax = 10_000
        clock = VirtualNotificationHost(now: Instant(secondsSince1970: 0), zone: .utc, policy: policy)
    }

    var now: Instant { clock.now }
    var zone: Zone { clock.zone }
    var calendarIdentifier: Calendar.Identifier { .gregorian }
    var policy: NotificationPolicy { clock.policy }
    var surroundings: NotificationSurroundings { clock.surroundings }
    var attachmentDirectory: URL { clock.attachmentDirectory }
    func localizedString(forKey key: String) -> String? { nil }
    func load() -> NotificationState? { nil }
    func save(_ state: NotificationState) {
        saves.withLock { $0 += 1 }
        saved.withLock { $0 = state }
    }
    func start(_ link: NotificationHostLink) {}
    func askPermission(_ options: UNAuthorizationOptions) async -> Bool { true }
    func show(
        _ notification: UNNotification, category: UNNotificationCategory?,
        presentation: NotificationPresentation
    ) {}
    func withdraw(_ identifiers: [String]) {}
    func setBadge(_ count: Int) {}
    func wake(at instant: Instant?) {}
    func diagnose(_ message: String) {}
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
