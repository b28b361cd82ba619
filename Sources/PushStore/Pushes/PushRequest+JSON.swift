public import APNs
internal import Recurrence

extension PushRequest {
    /// The request as it is kept; members with their default value are left out.
    public var json: JSONValue {
        var members: [String: JSONValue] = ["data": .object(data)]
        members["where"] = filter?.json
        members["channels"] = channels.map(Self.array)
        members["tokens"] = deviceTokens.map(Self.array)
        members["broadcast"] = broadcastChannel.map(JSONValue.string)
        if isTest { members["test"] = true }
        switch time {
        case .now: break
        case .at(let instant): members["at"] = .string(instant.iso8601)
        case .local(let civil): members["local"] = .string(civil.iso8601)
        }
        members["schedule"] = schedule?.json
        switch lifetime {
        case .unlimited: break
        case .until(let instant): members["expires"] = .string(instant.iso8601)
        case .seconds(let seconds): members["lifetime"] = .integer(seconds)
        }
        members["environment"] = environment.map { .string($0.rawValue) }
        if fallbackEnvironment != .production { members["fallback"] = .string(fallbackEnvironment.rawValue) }
        members["topic"] = topic.map(JSONValue.string)
        members["team"] = teamID.map(JSONValue.string)
        members["profile"] = deviceProfile.map(JSONValue.string)
        members["notificationId"] = notificationID.map(JSONValue.string)
        members["requestId"] = requestID.map(JSONValue.string)
        members["perSecond"] = devicesPerSecondMax.map { .integer(Int64($0)) }
        members["badgeIncrement"] = badgeIncrement.map(JSONValue.integer)
        if ignoresQuietHours { members["anyHour"] = true }
        if ignoresFrequencyCap { members["uncapped"] = true }
        if lateMinutesMax != Self.lateMinutesMaxDefault {
            members["lateMinutes"] = .integer(Int64(lateMinutesMax))
        }
        members["digest"] = digest
        return .object(members)
    }

    /// Reads a request that was kept.
    ///
    /// - Throws: `database` when it is not what ``json`` writes.
    public init(json: JSONValue) throws(StoreError) {
        guard case .object(let members) = json, case .object(let data)? = members["data"] else {
            throw StoreError(.database, "a stored push has no data")
        }
        self.init(data: data)
        if let filter = members["where"] {
            do throws(ChangeError) {
                self.filter = try WhereClause(filter)
            } catch {
                throw StoreError(.database, "a stored push: \(error.message)")
            }
        }
        channels = members["channels"].flatMap(Self.strings)
        deviceTokens = members["tokens"].flatMap(Self.strings)
        broadcastChannel = members["broadcast"].flatMap(Self.string)
        isTest = members["test"] == true
        if let instant = members["at"].flatMap(Self.string).flatMap(Instant.init(iso8601:)) {
            time = .at(instant)
        } else if let civil = members["local"].flatMap(Self.string).flatMap(CivilDateTime.init(iso8601:)) {
            time = .local(civil)
        }
        schedule = members["schedule"].flatMap(PushSchedule.init(json:))
        if let instant = members["expires"].flatMap(Self.string).flatMap(Instant.init(iso8601:)) {
            lifetime = .until(instant)
        } else if let seconds = members["lifetime"].flatMap(Self.integer) {
            lifetime = .seconds(seconds)
        }
        environment = members["environment"].flatMap(Self.string).flatMap(Environment.init(rawValue:))
        fallbackEnvironment =
            members["fallback"].flatMap(Self.string).flatMap(Environment.init(rawValue:)) ?? .production
        topic = members["topic"].flatMap(Self.string)
        teamID = members["team"].flatMap(Self.string)
        deviceProfile = members["profile"].flatMap(Self.string)
        notificationID = members["notificationId"].flatMap(Self.string)
        requestID = members["requestId"].flatMap(Self.string)
        devicesPerSecondMax = members["perSecond"].flatMap(Self.integer).map(Int.init)
        badgeIncrement = members["badgeIncrement"].flatMap(Self.integer)
        ignoresQuietHours = members["anyHour"] == true
        ignoresFrequencyCap = members["uncapped"] == true
        lateMinutesMax = members["lateMinutes"].flatMap(Self.integer).map(Int.init) ?? lateMinutesMax
        digest = members["digest"]
    }

    fileprivate static func array(_ texts: [String]) -> JSONValue { .array(texts.map(JSONValue.string)) }

    fileprivate static func string(_ json: JSONValue) -> String? {
        if case .string(let text) = json { text } else { nil }
    }

    fileprivate static func integer(_ json: JSONValue) -> Int64? {
        if case .integer(let integer) = json { integer } else { nil }
    }

    fileprivate static func strings(_ json: JSONValue) -> [String]? {
        if case .array(let items) = json { items.compactMap(string) } else { nil }
    }
}

extension PushSchedule {
    /// The schedule as it is kept, and as a request writes it.
    public var json: JSONValue {
        var members: [String: JSONValue] = ["rrule": .string(rule)]
        switch zone {
        case .device: members["timezone"] = "device"
        case .named(let name): members["timezone"] = .string(name)
        }
        members["start"] = start.map(JSONValue.string)
        members["until"] = until.map(JSONValue.string)
        members["count"] = count.map { .integer(Int64($0)) }
        if !exceptions.isEmpty { members["exdates"] = PushRequest.array(exceptions) }
        return .object(members)
    }

    /// Reads a schedule that was kept.
    init?(json: JSONValue) {
        guard let rule = json["rrule"].flatMap(PushRequest.string) else { return nil }
        let zone = json["timezone"].flatMap(PushRequest.string) ?? "device"
        self.init(
            rule: rule, zone: zone == "device" ? .device : .named(zone),
            start: json["start"].flatMap(PushRequest.string),
            until: json["until"].flatMap(PushRequest.string),
            count: json["count"].flatMap(PushRequest.integer).map(Int.init),
            exceptions: json["exdates"].flatMap(PushRequest.strings) ?? [])
    }
}
