import FoundationEssentials
import Synchronization
import Testing

@testable import belfry

@Suite struct LogTests {
    /// Collects lines instead of printing them.
    final class Lines: Sendable {
        let lines = Mutex<[String]>([])
        func append(_ line: String) { lines.withLock { $0.append(line) } }
        var all: [String] { lines.withLock { $0 } }
    }

    func log(_ lines: Lines, format: Log.Format = .text, threshold: Log.Level = .info) -> Log {
        Log(
            threshold: threshold, format: format, now: { Date(timeIntervalSince1970: 1_700_000_000.25) },
            write: { lines.append($0) })
    }

    @Test func `a line is key=value pairs with time, level and message first`() {
        let lines = Lines()
        log(lines).info("listening", ["port": 2197, "open": true, "host": "localhost"])
        #expect(
            lines.all == [
                "time=2023-11-14T22:13:20.250Z level=info msg=listening port=2197 open=true host=localhost"
            ])
    }

    @Test func `JSON lines carry the same fields`() {
        let lines = Lines()
        log(lines, format: .json).warning("slow answer", ["after": Duration.milliseconds(1500)])
        #expect(
            lines.all == [
                #"{"time":"2023-11-14T22:13:20.250Z","level":"warning","msg":"slow answer","after":1.5}"#
            ])
    }

    @Test(arguments: [
        ("", #""""#), ("two words", #""two words""#), ("a=b", #""a=b""#),
        ("line\nlevel=error", #""line\nlevel=error""#),
        ("quote\"", #""quote\"""#), ("bell\u{7}", #""bell\u0007""#), ("é", "é"),
    ])
    func `a value cannot forge another field or line`(_ value: String, _ expected: String) {
        let lines = Lines()
        log(lines).info("x", ["v": value])
        #expect(lines.all[0].hasSuffix(" v=" + expected))
    }

    @Test func `lines below the threshold are dropped`() {
        let lines = Lines()
        let log = log(lines, threshold: .warning)
        log.debug("a")
        log.info("b")
        log.warning("c")
        log.error("d")
        #expect(lines.all.count == 2)
    }
}
