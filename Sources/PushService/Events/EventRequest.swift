internal import APNs
internal import PushStore
internal import Recurrence

/// The body of `POST /1.1/events`: one event, or up to a hundred under `events`.
struct EventRequest {
    /// How many events one request carries at most.
    static let eventCountMax = 100
    /// How long an event may have waited on a phone without a network.
    static let ageDaysMax: Int64 = 30
    static let nameByteCountMax = 64
    /// How many bytes of JSON the properties of an event may be.
    static let propertiesByteCountMax = 2048

    /// The events in order.
    let events: [BehaviourEvent]

    /// Reads a request.
    ///
    /// - Parameters:
    ///   - json: the body.
    ///   - now: the time of events that name none, and the latest time one may have.
    /// - Throws: a ``ChangeError`` for the first event that is wrong; none is taken then.
    init(_ json: JSONValue, now: Instant) throws(ChangeError) {
        guard case .object(let members) = json else {
            throw ChangeError(code: 107, "body: \(json.kind) was found, an object is needed")
        }
        switch members["events"] {
        case nil:
            events = [try EventRequest.event(members, at: "", now: now)]
        case .array(let items)?:
            guard (1...EventRequest.eventCountMax).contains(items.count) else {
                throw ChangeError(
                    code: 1,
                    "events: \(items.count) were found, 1 to \(EventRequest.eventCountMax) are allowed")
            }
            var events: [BehaviourEvent] = []
            for (index, item) in items.enumerated() {
                guard case .object(let members) = item else {
                    throw ChangeError(
                        code: 107, "events[\(index)]: \(item.kind) was found, an object is needed")
                }
                events.append(try EventRequest.event(members, at: "events[\(index)].", now: now))
            }
            self.events = events
        case let other?:
            throw ChangeError(code: 107, "events: \(other.kind) was found, an array is needed")
        }
    }

    private static func event(
        _ members: [String: JSONValue], at path: String, now: Instant
    ) throws(ChangeError) -> BehaviourEvent {
        guard case .string(let name)? = members["name"], (1...nameByteCountMax).contains(name.utf8.count)
        else {
            throw ChangeError(code: 1, "\(path)name: a text of 1 to \(nameByteCountMax) bytes is needed")
        }
        var article: String?
        switch members["article"] {
        case nil, .null?: break
        case .string(let id)? where (1...Digest.idByteCountMax).contains(id.utf8.count): article = id
        default:
            throw ChangeError(
                code: 111, "\(path)article: a text of 1 to \(Digest.idByteCountMax) bytes is needed")
        }
        return BehaviourEvent(
            source: try source(members, at: path), name: name,
            tags: try ContentTags.read(members["tags"], at: "\(path)tags"), article: article,
            properties: try properties(members["properties"], at: path),
            at: try time(members["at"], at: path, now: now))
    }

    private static func properties(
        _ json: JSONValue?, at path: String
    ) throws(ChangeError) -> [String: JSONValue] {
        switch json {
        case nil, .null?: return [:]
        case .object(let members)?:
            let byteCount = (try? JSONValue.object(members).encoded().count) ?? .max
            guard byteCount <= propertiesByteCountMax else {
                throw ChangeError(
                    code: 116, "\(path)properties: at most \(propertiesByteCountMax) bytes are allowed")
            }
            return members
        case let other?:
            throw ChangeError(code: 111, "\(path)properties: \(other.kind) was found, an object is needed")
        }
    }

    private static func source(
        _ members: [String: JSONValue], at path: String
    ) throws(ChangeError) -> BehaviourEvent.Source {
        switch members["installation"] {
        case .string(let id)?: return .objectID(id)
        case .object(let pointer)?:
            if case .string(let id)? = pointer["objectId"] { return .objectID(id) }
        default: break
        }
        if case .string(let id)? = members["installationId"] { return .installationID(id) }
        if case .string(let token)? = members["deviceToken"] { return .deviceToken(token.lowercased()) }
        throw ChangeError(
            code: 1,
            "\(path)installation: an objectId, or installationId or deviceToken instead of it, is needed")
    }

    private static func time(
        _ json: JSONValue?, at path: String, now: Instant
    ) throws(ChangeError) -> Instant {
        let found: Instant?
        switch json {
        case nil, .null?: return now
        case .string(let text)?: found = Instant(iso8601: text)
        case .object(let members)?:
            if case .string(let text)? = members["iso"] {
                found = Instant(iso8601: text)
            } else {
                found = nil
            }
        default: found = nil
        }
        guard let found else {
            throw ChangeError(
                code: 111, "\(path)at: a time such as 2027-03-12T14:00:00.000Z or a Date is needed")
        }
        // A phone's clock may run ahead; an event from the future would never fade.
        let at = min(found, now)
        guard at >= now.advanced(bySeconds: -ageDaysMax * 86_400) else {
            throw ChangeError(code: 1, "\(path)at: events older than \(ageDaysMax) days are not taken")
        }
        return at
    }
}
