internal import APNs
internal import PushStore
internal import Recurrence

/// What a push would say, examined before it is accepted: what APNs would never take is refused at once.
enum PushContent {
    /// Refuses a push of which no notification can be made.
    static func check(_ request: PushRequest, app: App, now: Instant) throws(APIError) {
        do throws(ChangeError) {
            _ = try ComposerShelf(provisional(request, app: app, now: now), app: app)
        } catch {
            throw APIError(error)
        }
    }

    /// What a dry run says of a push: faults and what is likely not meant, errors first.
    static func findings(
        _ request: PushRequest, app: App, now: Instant
    ) throws(APIError) -> [JSONValue] {
        do throws(ChangeError) {
            let shelf = try ComposerShelf(provisional(request, app: app, now: now), app: app)
            return shelf.reports(now: now.secondsSince1970).flatMap(\.findings).map(json)
        } catch {
            throw APIError(error)
        }
    }

    /// The push that a request would become; its ids are as long as real ones.
    private static func provisional(_ request: PushRequest, app: App, now: Instant) -> Push {
        let id = String(repeating: "0", count: 16)
        return Push(
            number: 0, app: app.number, objectID: id, recordID: id, request: request, state: .scheduled,
            error: nil, createdAt: now, dueAt: now, expiresAt: request.expiresAt(sentAt: now), endedAt: nil)
    }

    private static func json(_ finding: MessageFinding) -> JSONValue {
        var members: [String: JSONValue] = [
            "severity": .string(finding.severity == .error ? "error" : "warning"),
            "rule": .string(finding.rule), "key": .string(finding.keyPath), "message": .string(finding.message),
        ]
        if !finding.languages.isEmpty {
            members["languages"] = .array(finding.languages.map(JSONValue.string))
        }
        return .object(members)
    }
}
