internal import APNs
internal import PushStore
internal import Recurrence
internal import Transport

/// Reads the bodies of `push` and `push/devices` (LeanCloud: push REST API guide).
struct PushRequestReader {
    /// The largest body of a push, in bytes; the articles of a digest are not counted.
    static let byteCountMax = 4096
    /// The most tokens `push/devices` takes.
    static let deviceCountMax = 500
    /// The longest `notification_id` and `req_id`.
    static let idByteCountMax = 16
    /// The slowest `flow_control`, in devices a second; less counts as this.
    static let devicesPerSecondMin = 1000
    /// A time less than this ahead means now, in seconds.
    static let nowSeconds: Int64 = 60
    /// The furthest time ahead that is taken, in days.
    static let daysAheadMax: Int64 = 366
    static let lateMinutesMaxMax = 7 * 24 * 60

    private let members: [String: JSONValue]
    private let now: Instant

    private init(_ call: APICall) {
        members = call.body
        now = call.now
    }

    // MARK: - The two bodies

    /// A push by query.
    static func push(_ call: APICall) throws(APIError) -> PushRequest {
        let reader = PushRequestReader(call)
        try reader.checkSize(call)
        var request = try reader.common(call)
        request.filter = try reader.filter()
        request.channels = try reader.channels()
        request.time = try reader.time()
        request.schedule = try reader.schedule()
        if request.schedule != nil, request.time != .now || reader.has("push_time") {
            throw APIError(code: 1, "push_time and schedule: one of them is allowed")
        }
        try reader.setLifetime(&request)
        if reader.has("flow_control") {
            guard let perSecond = reader.wholeNumber("flow_control"), perSecond >= 0 else {
                throw APIError(code: 1, "flow_control: a whole number of devices a second is needed")
            }
            request.devicesPerSecondMax = Int(max(Int64(devicesPerSecondMin), min(perSecond, 1_000_000)))
        }
        request.isTest = try reader.flag("test")
        return request
    }

    /// A push to device tokens.
    static func devices(_ call: APICall) throws(APIError) -> PushRequest {
        let reader = PushRequestReader(call)
        for key in ["where", "channels", "cql", "push_time", "flow_control", "schedule", "digest", "test"]
        where reader.has(key) {
            throw APIError(code: 1, "\(key): push/devices does not take it")
        }
        guard let type = try reader.text("device_type"), type == "ios" else {
            throw APIError(code: 1, "device_type: 'ios' is needed")
        }
        guard case .array(let items)? = reader.members["device_ids"],
            (1...deviceCountMax).contains(items.count)
        else {
            throw APIError(code: 1, "device_ids: an array of 1 to \(deviceCountMax) device tokens is needed")
        }
        var tokens: [String] = []
        var seen: Set<String> = []
        for item in items {
            guard case .string(let text) = item, (1...2 * DeviceToken.byteCountMax).contains(text.utf8.count)
            else {
                throw APIError(
                    code: 114,
                    "device_ids: texts of 1 to \(2 * DeviceToken.byteCountMax) characters are needed")
            }
            let token = text.lowercased()
            if seen.insert(token).inserted { tokens.append(token) }
        }
        var request = try reader.common(call)
        request.deviceTokens = tokens
        guard APIBody.encoded(.object(request.data)).count <= byteCountMax else {
            throw APIError(status: 413, code: 116, "data: at most \(byteCountMax) bytes are allowed")
        }
        try reader.setLifetime(&request)
        return request
    }

    /// Whether only what a dry run finds is asked for.
    static func isDryRun(_ call: APICall) throws(APIError) -> Bool {
        try PushRequestReader(call).flag("dry_run")
    }

    // MARK: - Parts

    private func common(_ call: APICall) throws(APIError) -> PushRequest {
        guard case .object(let data)? = members["data"] else {
            throw APIError(code: 1, "data: an object is needed")
        }
        guard !data.isEmpty || has("digest") else { throw APIError(code: 1, "data: it is empty") }
        var request = PushRequest(data: data)
        switch try text("prod") {
        case "prod"?: request.environment = .production
        case "dev"?: request.environment = .sandbox
        case nil: request.environment = call.caller?.isProduction.map { $0 ? .production : .sandbox }
        case let other?:
            throw APIError(code: 1, "prod: '\(other.prefix(20))' was found, prod and dev are allowed")
        }
        request.fallbackEnvironment = request.environment ?? .production
        request.topic = try topic()
        request.teamID = try name("apns_team_id")
        request.deviceProfile = try name("device_profile")
        request.notificationID = try identifier("notification_id")
        request.requestID = try identifier("req_id")
        request.ignoresQuietHours = try flag("ignore_quiet_hours")
        request.ignoresFrequencyCap = try flag("ignore_frequency_cap")
        if let value = members["late_minutes"], value != .null {
            guard case .integer(let minutes) = value, 0...Int64(Self.lateMinutesMaxMax) ~= minutes else {
                throw APIError(code: 1, "late_minutes: 0 to \(Self.lateMinutesMaxMax) are allowed")
            }
            request.lateMinutesMax = Int(minutes)
        }
        if let digest = members["digest"], digest != .null {
            do {
                _ = try Digest(digest)
            } catch {
                throw APIError(error)
            }
            request.digest = digest
        }
        return request
    }

    private func checkSize(_ call: APICall) throws(APIError) {
        var byteCount = call.request.body.count
        if let digest = members["digest"] { byteCount -= APIBody.encoded(digest).count }
        guard byteCount <= Self.byteCountMax else {
            throw APIError(
                status: 413, code: 116,
                "the body has \(byteCount) bytes, \(Self.byteCountMax) are allowed for a push")
        }
    }

    /// `where`, or the condition of `cql`.
    private func filter() throws(APIError) -> WhereClause? {
        let cql = try text("cql")
        do throws(ChangeError) {
            if let text = cql {
                guard !has("where") else {
                    throw ChangeError(code: 1, "where and cql: one of them is allowed")
                }
                let query = try CQL(text)
                guard query.limit == nil, query.skip == 0 else {
                    throw ChangeError(
                        code: 300, "cql: a push goes to all that match; limit and skip are refused")
                }
                return query.filter
            }
            guard let given = members["where"], given != .null else { return nil }
            let json = Self.parsed(given)
            if json == [:] { return nil }
            guard case .object = json else {
                throw ChangeError(code: 107, "where: \(json.kind) was found, an object is needed")
            }
            return try WhereClause(json)
        } catch {
            throw APIError(error)
        }
    }

    /// LeanCloud's Objective-C SDK writes the condition of a push as a text of JSON.
    private static func parsed(_ value: JSONValue) -> JSONValue {
        guard case .string(let text) = value, let json = try? JSONValue(parsing: text), case .object = json
        else { return value }
        return json
    }

    private func channels() throws(APIError) -> [String]? {
        let names: [JSONValue]
        switch members["channels"] {
        case nil, .null?: return nil
        case .string(let name)?: names = [.string(name)]
        case .array(let items)?: names = items
        case let other?:
            throw APIError(code: 111, "channels: \(other.kind) was found, a string or an array is needed")
        }
        // An empty list that meant everybody would reach people who were not meant.
        guard !names.isEmpty else { throw APIError(code: 112, "channels: the array is empty") }
        var channels: Set<String> = []
        for name in names {
            guard case .string(let text) = name else {
                throw APIError(code: 111, "channels: \(name.kind) was found, strings are needed")
            }
            do {
                try ChannelName.check(text)
            } catch {
                throw APIError(error)
            }
            channels.insert(text)
        }
        return channels.sorted()
    }

    private func time() throws(APIError) -> PushRequest.Time {
        guard let value = members["push_time"], value != .null else { return .now }
        if let instant = Self.instant(value) {
            if instant < now.advanced(bySeconds: Self.nowSeconds) { return .now }
            guard instant <= now.advanced(bySeconds: Self.daysAheadMax * 86_400) else {
                throw APIError(code: 1, "push_time: at most \(Self.daysAheadMax) days ahead are allowed")
            }
            return .at(instant)
        }
        guard case .string(let text) = value,
            let civil = CivilDateTime(iso8601: String(text.prefix { $0 != "." }))
        else {
            throw APIError(
                code: 1,
                "push_time: a time such as 2027-03-12T09:00:00.000Z is needed, or one without a zone for each "
                    + "device's own local time")
        }
        // The clocks furthest behind UTC are twelve hours behind it.
        if let last = Instant(iso8601: civil.iso8601 + "-12:00"), last < now {
            throw APIError(code: 1, "push_time: this local time is over everywhere")
        }
        return .local(civil)
    }

    /// A whole number; LeanCloud's guide writes `"expiration_interval": "86400"`.
    private func wholeNumber(_ name: String) -> Int64? {
        members[name].flatMap { try? DataValue.integer($0, name) }
    }

    private func setLifetime(_ request: inout PushRequest) throws(APIError) {
        switch (has("expiration_time"), has("expiration_interval")) {
        case (true, true):
            throw APIError(code: 1, "expiration_time and expiration_interval: one of them is allowed")
        case (true, false):
            guard let instant = members["expiration_time"].flatMap(Self.instant) else {
                throw APIError(
                    code: 1, "expiration_time: a time such as 2027-03-12T09:00:00.000Z is needed")
            }
            var start = now
            if case .at(let time) = request.time { start = time }
            guard instant > start else {
                throw APIError(code: 1, "expiration_time: it is over before the push is sent")
            }
            request.lifetime = .until(instant)
        case (false, true):
            guard let seconds = wholeNumber("expiration_interval"),
                1...Self.daysAheadMax * 86_400 ~= seconds
            else {
                throw APIError(code: 1, "expiration_interval: a whole number of seconds above 0 is needed")
            }
            request.lifetime = .seconds(seconds)
        case (false, false): break
        }
    }

    private func schedule() throws(APIError) -> PushSchedule? {
        guard let value = members["schedule"], value != .null else { return nil }
        guard case .object(let schedule) = value, case .string(let rule)? = schedule["rrule"] else {
            throw APIError(code: 1, "schedule.rrule: a rule such as FREQ=DAILY;BYHOUR=9;BYMINUTE=0 is needed")
        }
        let part = PushRequestReader(members: schedule, now: now)
        var result = PushSchedule(rule: rule)
        if let zone = try part.text("timezone"), zone != "device" { result.zone = .named(zone) }
        result.start = try part.text("start")
        result.until = try part.text("until")
        if let value = schedule["count"], value != .null {
            guard case .integer(let count) = value, 1...1_000_000 ~= count else {
                throw APIError(code: 1, "schedule.count: 1 to 1000000 are allowed")
            }
            result.count = Int(count)
        }
        if let value = schedule["exdates"], value != .null {
            guard case .array(let items) = value, items.count <= 1000 else {
                throw APIError(code: 1, "schedule.exdates: an array of at most 1000 times is needed")
            }
            for item in items {
                guard case .string(let text) = item else {
                    throw APIError(code: 111, "schedule.exdates: \(item.kind) was found, texts are needed")
                }
                result.exceptions.append(text)
            }
        }
        return result
    }

    private init(members: [String: JSONValue], now: Instant) {
        self.members = members
        self.now = now
    }

    // MARK: - Values

    private func has(_ key: String) -> Bool { members[key] != nil && members[key] != .null }

    private func text(_ key: String) throws(APIError) -> String? {
        switch members[key] {
        case nil, .null?: return nil
        case .string(let text)?: return text
        case let other?: throw APIError(code: 111, "\(key): \(other.kind) was found, a string is needed")
        }
    }

    private func flag(_ key: String) throws(APIError) -> Bool {
        switch members[key] {
        case nil, .null?: return false
        case .bool(let bool)?: return bool
        case let other?: throw APIError(code: 111, "\(key): \(other.kind) was found, a Boolean is needed")
        }
    }

    private func identifier(_ key: String) throws(APIError) -> String? {
        guard let text = try text(key) else { return nil }
        guard (1...Self.idByteCountMax).contains(text.utf8.count), text.utf8.allSatisfy(Self.isAlphanumeric)
        else {
            throw APIError(code: 1, "\(key): 1 to \(Self.idByteCountMax) letters and digits are allowed")
        }
        return text
    }

    private func name(_ key: String) throws(APIError) -> String? {
        guard let text = try text(key), !text.isEmpty else { return nil }
        guard text.utf8.count <= 64, text.utf8.allSatisfy({ Self.isAlphanumeric($0) || $0 == 0x5f }) else {
            throw APIError(code: 1, "\(key): 1 to 64 letters, digits and '_' are allowed")
        }
        return text
    }

    private func topic() throws(APIError) -> String? {
        guard let text = try text("topic"), !text.isEmpty else { return nil }
        do {
            _ = try Topic(text)
        } catch {
            throw APIError(code: 1, "topic: \(error.message)")
        }
        return text
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        0x30...0x39 ~= byte || 0x41...0x5a ~= byte || 0x61...0x7a ~= byte
    }

    /// A text with a zone, a Date, or Parse's seconds since 1970.
    private static func instant(_ value: JSONValue) -> Instant? {
        switch value {
        case .string(let text): Instant(iso8601: text)
        case .integer(let seconds) where 0...253_402_300_799 ~= seconds: Instant(secondsSince1970: seconds)
        default:
            if case .string(let text)? = value["iso"] { Instant(iso8601: text) } else { nil }
        }
    }
}
