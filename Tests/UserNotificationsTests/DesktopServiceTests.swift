import Foundation
import Synchronization
import Testing

@testable import UserNotifications

/// A private bus with a real notification service (dunst) on a display in memory; nothing of the user's desktop.
private final class PrivateDesktop {
    let address: String
    private var processes: [Process] = []

    static var isInstalled: Bool {
        ["dbus-daemon", "Xvfb", "dunst", "dunstctl"].allSatisfy { path(of: $0) != nil }
    }

    private static func path(of program: String) -> String? {
        ["/usr/bin/", "/usr/local/bin/", "/bin/"].map { $0 + program }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    init() throws {
        func start(
            _ program: String, _ arguments: [String], _ environment: [String: String] = [:]
        ) throws
            -> (Process, Pipe)
        {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: try #require(Self.path(of: program)))
            process.arguments = arguments
            process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
            let pipe = Pipe()
            process.standardOutput = pipe
            process.standardError = FileHandle.nullDevice
            try process.run()
            return (process, pipe)
        }
        func line(_ pipe: Pipe) -> String {
            var bytes: [UInt8] = []
            while let byte = try? pipe.fileHandleForReading.read(upToCount: 1)?.first, byte != 0x0a {
                bytes.append(byte)
            }
            return String(decoding: bytes, as: UTF8.self)
        }
        let (bus, busPipe) = try start("dbus-daemon", ["--session", "--nofork", "--print-address"])
        processes.append(bus)
        address = line(busPipe)
        let (display, displayPipe) = try start(
            "Xvfb", ["-displayfd", "1", "-screen", "0", "800x600x24", "-nolisten", "tcp"])
        processes.append(display)
        let (service, _) = try start(
            "dunst", ["-conf", "/dev/null"],
            ["DISPLAY": ":" + line(displayPipe), "DBUS_SESSION_BUS_ADDRESS": address])
        processes.append(service)
    }

    deinit {
        for process in processes.reversed() {
            // Started on a thread that blocks signals, they would not get a gentler one.
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
    }

    /// What dunst's own tool prints.
    func control(_ arguments: String...) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: try #require(Self.path(of: "dunstctl")))
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment
            .merging(["DBUS_SESSION_BUS_ADDRESS": address]) { $1 }
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self)
    }

    /// Asks the tool until it prints a number; each question is a process of its own.
    func waitFor(displayed count: Int) throws {
        while try control("count", "displayed").trimmingCharacters(in: .whitespacesAndNewlines) != "\(count)"
        {}
    }

    /// Connects, as soon as the service is there.
    func presenter() -> DesktopPresenter {
        while true {
            if let presenter = DesktopPresenter(appName: "Test", desktopEntry: "test", address: address) {
                return presenter
            }
        }
    }
}

/// Hands over each action identifier.
private final class ResponseJournal: NSObject, UNUserNotificationCenterDelegate, @unchecked Sendable {
    let identifiers: AsyncStream<String>
    private let continuation: AsyncStream<String>.Continuation

    override init() {
        (identifiers, continuation) = AsyncStream.makeStream()
        super.init()
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification
    ) async -> UNNotificationPresentationOptions { [.banner, .list] }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse
    ) async {
        continuation.yield(response.notification.request.identifier + " " + response.actionIdentifier)
    }
}

@Suite(.timeLimit(.minutes(2)), .serialized, .enabled(if: PrivateDesktop.isInstalled))
struct DesktopServiceTests {
    @Test func `a scheduled notification shows on a desktop, and tap and dismissal come back`() async throws {
        let desktop = try PrivateDesktop()
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent(
            "belfry-" + UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: directory) }
        let center = UNUserNotificationCenter(
            host: SystemHost(
                bundleIdentifier: "com.example.app", directory: directory, presenter: desktop.presenter()))
        let journal = ResponseJournal()
        center.delegate = journal
        try await center.requestAuthorization(options: [.alert, .sound])
        center.setNotificationCategories([
            UNNotificationCategory(
                identifier: "c", actions: [UNNotificationAction(identifier: "go", title: "Go")],
                intentIdentifiers: [], options: [.customDismissAction])
        ])
        var responses = journal.identifiers.makeAsyncIterator()

        let made = content("Wash <hands> & face")
        made.body = "Now"
        made.categoryIdentifier = "c"
        try await center.add(request("tapped", seconds(0.1), content: made))
        try desktop.waitFor(displayed: 1)
        #expect(await center.deliveredNotifications().map(\.request.identifier) == ["tapped"])
        _ = try desktop.control("action", "0")
        #expect(await responses.next() == "tapped " + UNNotificationDefaultActionIdentifier)
        #expect(await center.deliveredNotifications() == [])
        try desktop.waitFor(displayed: 0)

        try await center.add(request("cleared", seconds(0.1), content: made))
        try desktop.waitFor(displayed: 1)
        _ = try desktop.control("close")
        #expect(await responses.next() == "cleared " + UNNotificationDismissActionIdentifier)
        try desktop.waitFor(displayed: 0)

        try await center.add(request("taken back", nil, content: made))
        try desktop.waitFor(displayed: 1)
        try await center.add(request("taken back", nil, content: content("replaced")))
        await center.service.settle()
        center.removeAllDeliveredNotifications()
        try desktop.waitFor(displayed: 0)
        let history = try desktop.control("history")
        #expect(history.contains("Wash <hands> & face"))
        #expect(history.contains("replaced"))
    }

    @Test func `without a bus there is no screen`() {
        #expect(
            DesktopPresenter(appName: "a", desktopEntry: "a", address: "unix:path=/nonexistent/bus") == nil)
    }
}
