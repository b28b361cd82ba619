/// Says what will go wrong with a payload before it is sent.
///
/// The rules are Apple's documentation of payloads and headers, read strictly. Findings come in a fixed
/// order: headers, text, then keys.
public enum Lint {
    /// The largest text whose keys are examined, in bytes; larger ones are only reported as too large.
    public static let byteCountMax = 8192
    /// The most findings that are made.
    public static let findingCountMax = 200

    /// Examines a payload and, as far as they are known, its headers.
    ///
    /// - Parameters:
    ///   - json: The request body.
    ///   - headers: The headers as they are written.
    ///   - now: The current time in seconds since 1970; nil leaves out what depends on it.
    public static func payload(
        _ json: [UInt8], headers: LintHeaders = LintHeaders(), now: Int64? = nil
    ) -> [LintFinding] {
        var linter = Linter(headers: headers, now: now, isSimulatorFile: false)
        linter.checkHeaders()
        linter.checkText(json)
        return linter.findings
    }

    /// Examines a notification as it will be sent.
    public static func notification(_ notification: Notification, now: Int64? = nil) -> [LintFinding] {
        payload(notification.payload, headers: LintHeaders(notification), now: now)
    }

    /// Examines an `.apns` file for the iOS Simulator.
    ///
    /// Such a file is a payload with the app's identifier under the key Simulator Target Bundle; simctl
    /// wants aps and takes at most 4096 bytes.
    public static func simulatorFile(_ json: [UInt8], now: Int64? = nil) -> [LintFinding] {
        var linter = Linter(headers: LintHeaders(), now: now, isSimulatorFile: true)
        linter.checkText(json)
        return linter.findings
    }
}
