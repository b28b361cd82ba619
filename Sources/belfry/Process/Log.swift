internal import FoundationEssentials

/// Structured log lines on standard error: `key=value` pairs, or one JSON object a line.
///
/// Messages are constant; what varies goes into fields. No payload and no full device token belongs in either.
struct Log: Sendable {
    enum Level: Int, Sendable, Comparable {
        case error, warning, info, debug

        static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
        var name: String { String(describing: self) }
    }

    enum Format: String, Sendable, CaseIterable {
        case text, json
    }

    /// Lines less urgent than this are dropped.
    var threshold = Level.info
    var format = Format.text
    /// The instant that a line carries.
    var now: @Sendable () -> Date = { Date() }
    /// Takes one line without its line feed.
    var write: @Sendable (String) -> Void

    func error(_ message: StaticString, _ fields: KeyValuePairs<String, any LogValue> = [:]) {
        line(.error, message, fields)
    }
    func warning(_ message: StaticString, _ fields: KeyValuePairs<String, any LogValue> = [:]) {
        line(.warning, message, fields)
    }
    func info(_ message: StaticString, _ fields: KeyValuePairs<String, any LogValue> = [:]) {
        line(.info, message, fields)
    }
    func debug(_ message: StaticString, _ fields: KeyValuePairs<String, any LogValue> = [:]) {
        line(.debug, message, fields)
    }

    private func line(
        _ level: Level, _ message: StaticString, _ fields: KeyValuePairs<String, any LogValue>
    ) {
        guard level <= threshold else { return }
        let time = now().formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
        let head: [(String, any LogValue)] = [("time", time), ("level", level.name), ("msg", "\(message)")]
        let pairs = head + fields.map { ($0.key, $0.value) }
        switch format {
        case .text: write(pairs.map { "\($0.0)=\($0.1.logText)" }.joined(separator: " "))
        case .json: write("{" + pairs.map { "\"\($0.0)\":\($0.1.logJSON)" }.joined(separator: ",") + "}")
        }
    }
}
