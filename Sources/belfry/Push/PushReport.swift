internal import APNs
internal import APNsClient
internal import Transport

/// How `belfry push` tells what became of each notification.
struct PushReport: Sendable {
    /// One notification, as `--json` prints it.
    private struct Line: Encodable, Sendable {
        var token: String
        var outcome: String
        var status: Int?
        var reason: String?
        var disposition: String?
        var timestamp_ms: Int64?
        var apns_id: String?
        var apns_unique_id: String?
        var latency_ms: Double
        var attempts: Int
    }

    private(set) var acceptedCount = 0
    private(set) var refusedCount = 0
    private(set) var unansweredCount = 0

    /// Whether something was sent and nothing of it reached a server.
    var isNothingAnswered: Bool { unansweredCount > 0 && acceptedCount + refusedCount == 0 }

    /// Prints one outcome and counts it.
    mutating func add(
        _ outcome: Outcome, for token: DeviceToken, in context: CommandContext
    ) throws(CommandError) {
        let milliseconds = (Double(outcome.latencyMicroseconds) / 100).rounded() / 10
        var line = Line(
            token: token.hexString, outcome: "accepted", apns_id: outcome.id?.uuidString,
            apns_unique_id: outcome.uniqueID?.uuidString, latency_ms: milliseconds,
            attempts: Int(outcome.attemptCount))
        line.disposition = outcome.disposition.map { "\($0)" }
        var text = "accepted"
        switch outcome.result {
        case .accepted:
            acceptedCount += 1
        case .rejected(let status, let reason, let timestamp):
            refusedCount += 1
            line.outcome = "refused"
            line.status = status
            line.reason = reason.text
            line.timestamp_ms = timestamp
            text = "refused: \(status) \(reason.text) (\(line.disposition ?? "unknown"))"
        case .failed(let failure):
            unansweredCount += 1
            line.outcome = failure.name
            line.reason = failure.explanation
            text = "\(failure.name): \(failure.explanation)"
        }
        if context.isJSON {
            try context.console.printJSON(line)
        } else {
            let id = line.apns_id.map { " apns-id \($0)" } ?? ""
            context.console.print("\(token) \(text)\(id) (\(milliseconds) ms)")
        }
    }

    /// One line for all; of interest when there was more than one.
    var summary: String {
        "\(acceptedCount) accepted, \(refusedCount) refused, \(unansweredCount) without answer"
    }
}

extension Outcome.Failure {
    fileprivate var name: String {
        switch self {
        case .unknown: "unknown"
        case .notSent: "not sent"
        case .cancelled: "cancelled"
        }
    }

    fileprivate var explanation: String {
        switch self {
        case .unknown(let error), .notSent(let error): error.message
        case .cancelled: "the command was ended"
        }
    }
}
