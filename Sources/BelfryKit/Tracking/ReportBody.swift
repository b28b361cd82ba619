internal import Recurrence

/// Reports as the push service takes them.
enum ReportBody {
    /// Where reports of a kind go, below `/1.1/`.
    static func path(_ kind: PushReport.Kind) -> String {
        switch kind {
        // LeanCloud: the call that SDKs make for an app that was opened by a push.
        case .opened: "stats/open/collect"
        case .delivered: "events"
        }
    }

    /// The body of a request.
    ///
    /// - Parameters:
    ///   - reports: at least one, all of one kind.
    ///   - installation: the device's id at the service.
    static func make(_ reports: [PushReport], installation: String) -> PayloadValue {
        let events: [PayloadValue] = reports.map { report in
            let at = PayloadValue.string(Instant(millisecondsSince1970: report.atMilliseconds).iso8601)
            return switch report.kind {
            case .opened:
                [
                    "event": "_openPush",
                    "attributes": ["notificationId": .string(report.pushID), "at": at],
                ]
            case .delivered:
                [
                    "name": "push.delivered", "article": .string(report.pushID),
                    "installation": .string(installation), "at": at,
                ]
            }
        }
        return ["installation": .string(installation), "events": .array(events)]
    }
}
