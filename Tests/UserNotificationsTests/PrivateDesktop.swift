import Foundation
import Testing

@testable import UserNotifications

/// A private bus with a real notification service (dunst) on a display in memory; nothing of the user's desktop.
final class PrivateDesktop {
    let address: String
    private let directory: URL
    private let display: String
    private var processes: [Process] = []
    private var service: Process?

    /// Dunst without a menu: the button `go` of notifications that ask for an answer is what its tool presses.
    private static let configuration = """
        [global]
        width = 340
        origin = top-right
        offset = 24x24
        font = DejaVu Sans 11
        frame_width = 2
        frame_color = "#3a6ea5"
        background = "#f7f7f2"
        foreground = "#222222"
        timeout = 0
        markup = full
        show_indicators = false
        format = "<b>%s</b>\\n%b"
        [answers]
        summary = "Answer*"
        action_name = go
        """

    static var isInstalled: Bool {
        ["dbus-daemon", "dbus-send", "Xvfb", "dunst", "dunstctl"].allSatisfy { path(of: $0) != nil }
    }

    private static func path(of program: String) -> String? {
        ["/usr/bin/", "/usr/local/bin/", "/bin/"].map { $0 + program }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    init() throws {
        directory = FileManager.default.temporaryDirectory.appendingPathComponent(
            "desktop-" + UUID().uuidString)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let (bus, address) = try Self.start(
            "dbus-daemon", ["--session", "--nofork", "--print-address"], hasLine: true)
        self.address = address
        let (screen, number) = try Self.start(
            "Xvfb",
            [
                "-displayfd", "1", "-screen", "0", "640x200x24", "-nolisten", "tcp", "-fbdir", directory.path,
            ], hasLine: true)
        display = ":" + number
        processes = [bus, screen]
        try Self.configuration.write(
            to: directory.appendingPathComponent("dunstrc"), atomically: true, encoding: .utf8)
        try startService()
    }

    deinit {
        for process in [service].compactMap({ $0 }) + processes.reversed() { Self.end(process) }
        try? FileManager.default.removeItem(at: directory)
    }

    /// - Returns: the process, and the first line that it prints, which says that it is ready.
    private static func start(
        _ program: String, _ arguments: [String], _ environment: [String: String] = [:], hasLine: Bool = false
    ) throws -> (process: Process, line: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: try #require(path(of: program)))
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        var bytes: [UInt8] = []
        while hasLine, let byte = try? pipe.fileHandleForReading.read(upToCount: 1)?.first, byte != 0x0a {
            bytes.append(byte)
        }
        return (process, String(decoding: bytes, as: UTF8.self))
    }

    private static func end(_ process: Process) {
        // Started on a thread that blocks signals, they would not get a gentler one.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    private var environment: [String: String] {
        ["DISPLAY": display, "DBUS_SESSION_BUS_ADDRESS": address]
    }

    // MARK: Service

    func startService() throws {
        service = try Self.start(
            "dunst", ["-conf", directory.appendingPathComponent("dunstrc").path], environment
        ).process
    }

    func stopService() {
        service.map { Self.end($0) }
        service = nil
    }

    /// What a program prints that is run to its end.
    @discardableResult
    func run(_ program: String, _ arguments: String...) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: try #require(Self.path(of: program)))
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self)
    }

    /// Asks dunst's own tool until it prints a number; it has no signal for that.
    func waitFor(displayed count: Int) throws {
        while try run("dunstctl", "count", "displayed").trimmingCharacters(in: .whitespacesAndNewlines)
            != "\(count)"
        {}
    }

    // MARK: Screen

    /// The picture on the screen: red, green and blue of each point.
    func screen() throws -> (width: Int, height: Int, points: [UInt8]) {
        // X Window Dump: a header of big-endian numbers, colours of 12 bytes each, then four bytes a point.
        let data = [UInt8](try Data(contentsOf: directory.appendingPathComponent("Xvfb_screen0")))
        func number(_ index: Int) -> Int {
            data[index * 4..<index * 4 + 4].reduce(0) { $0 << 8 | Int($1) }
        }
        let (width, height, lineBytes) = (number(4), number(5), number(12))
        let start = number(0) + number(19) * 12
        var points: [UInt8] = []
        points.reserveCapacity(width * height * 3)
        for row in 0..<height {
            for column in 0..<width {
                let at = start + row * lineBytes + column * 4
                points += [data[at + 2], data[at + 1], data[at]]
            }
        }
        return (width, height, points)
    }

    /// Waits until a notification is drawn: its frame and its text, on a screen that was black.
    func waitForPicture() throws -> (width: Int, height: Int, points: [UInt8]) {
        while true {
            let picture = try screen()
            let points = stride(from: 0, to: picture.points.count, by: 3)
            func count(_ isWanted: (ArraySlice<UInt8>) -> Bool) -> Int {
                points.count { isWanted(picture.points[$0..<$0 + 3]) }
            }
            let frame = count { Array($0) == [0x3a, 0x6e, 0xa5] }
            let ground = count { Array($0) == [0xf7, 0xf7, 0xf2] }
            let ink = count { Array($0) == [0x22, 0x22, 0x22] }
            if frame > 500, ground > 5000, ink > 50 { return picture }
        }
    }
}
