internal import Recurrence

/// Reports as the push service takes them.
enum ReportBody {
    /// Where reports of a kind go, below `/1.1/`.
    static func path(_ kind: Report.Kind) -> String {
        switch kind {
        // LeanCloud: the call that SDKs make for an app that was opened by a push.
        case .opened: "stats/open/collect"
        case .delivered, .event: "events"
        }
    }

    /// The body of a request.
    ///
    /// - Parameters:
    ///   - reports: at least one, all of one kind.
    ///   - installation: the device's id at the service.
    static func make(_ reports: [Report], installation: String) -> PayloadValue {
        [
            "installation": .string(installation),
            "events": .array(reports.map { member($0, of: installation) }),
        ]
    }

    private static func member(_ report: Report, of installation: String) -> PayloadValue {
        let at = PayloadValue.string(Instant(millisecondsSince1970: report.atMilliseconds).iso8601)
        let pushID = PayloadValue.string(report.pushID ?? "")
        switch report.kind {
        case .opened:
            return ["event": "_openPush", "attributes": ["notificationId": pushID, "at": at]]
        case .delivered:
            return [
                "name": "push.delivered", "article": pushID, "installation": .string(installation), "at": at,
            ]
        case .event:
            var members: [String: PayloadValue] = ["installation": .string(installation), "at": at]
            guard let event = report.event else { return .object(members) }
            members["name"] = .string(event.name)
            members["article"] = event.article.map { .string($0) }
            if !event.tags.isEmpty { members["tags"] = .array(event.tags.map { .string($0) }) }
            if !event.properties.isEmpty { members["properties"] = .object(event.properties) }
            return .object(members)
        }
    }
}
