internal import Foundation
internal import Recurrence

/// The machine's clock and zone.
enum SystemClock {
    static var now: Instant {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Instant(millisecondsSince1970: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }

    /// The zone as it is set at this moment: Foundation keeps the one of the first time it was asked.
    static var zone: Zone {
        for name in [environmentName, linkName, fileName] {
            if let name, let zone = try? Zone(name) { return zone }
        }
        return .utc
    }

    /// The name in `TZ`, which may begin with a colon.
    private static var environmentName: String? {
        ProcessInfo.processInfo.environment["TZ"].map { $0.hasPrefix(":") ? String($0.dropFirst()) : $0 }
    }

    private static var linkName: String? {
        guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/etc/localtime"),
            let range = target.range(of: "/zoneinfo/")
        else { return nil }
        let name = target[range.upperBound...]
        // Debian's "Etc/UTC" and the plain name are the same zone.
        return name == "Etc/UTC" ? "UTC" : String(name)
    }

    private static var fileName: String? {
        guard let text = try? String(contentsOfFile: "/etc/timezone", encoding: .utf8) else { return nil }
        let name = text.trimmingCharacters(in: .whitespacesAndNewlines)
        return name == "Etc/UTC" ? "UTC" : name
    }
}
