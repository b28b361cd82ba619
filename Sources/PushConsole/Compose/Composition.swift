internal import APNs
internal import Recurrence

/// What the form for a push holds: read from its fields, written back into them, and turned into a request's body.
struct Composition: Sendable {
    enum Audience: String, CaseIterable, Sendable {
        case everyone, channels, condition
    }

    enum Timing: String, CaseIterable, Sendable {
        case now, at, local, recurring
    }

    /// The texts in one language; the first of a composition is for all other languages.
    struct Text: Sendable, Hashable {
        var language = ""
        var title = ""
        var subtitle = ""
        var body = ""

        var isEmpty: Bool { title.isEmpty && subtitle.isEmpty && body.isEmpty }
    }

    var audience = Audience.everyone
    var channels = ""
    var conditions: [Condition] = [Condition()]
    var matchesAny = false
    /// A condition as JSON, joined with the others.
    var json = ""
    /// `prod`, `dev` or empty for both.
    var environment = ""
    var texts: [Text] = [Text()]
    /// `default`, empty for none, or a file's name.
    var sound = "default"
    /// `Increment`, a number, or empty.
    var badge = ""
    var interruption = ""
    var thread = ""
    var category = ""
    var collapseID = ""
    /// The app's own keys as JSON.
    var custom = ""
    /// For how many hours APNs keeps it; empty for as long as it does.
    var lifetimeHours = ""
    var perSecond = ""
    var ignoresQuietHours = false
    var ignoresFrequencyCap = false
    var timing = Timing.now
    /// A civil time as a browser writes it: `2027-03-12T09:00`.
    var at = ""
    var zone = "UTC"
    var local = ""
    var recurrence = RecurrenceForm()
    /// Two posts of one form are one push.
    var requestID = ""

    /// How many languages and conditions a form may have.
    static let countMax = 40

    init() {}

    /// Reads a form.
    init(_ form: FormFields) {
        audience = Audience(rawValue: form["audience"]) ?? .everyone
        channels = form.trimmed("channels")
        conditions = Condition.read(form)
        matchesAny = form["match"] == "any"
        json = form.trimmed("where")
        environment = ["prod", "dev"].contains(form["prod"]) ? form["prod"] : ""
        texts = Self.texts(form)
        sound = form.trimmed("sound")
        badge = form.trimmed("badge")
        interruption = form.trimmed("interruption")
        thread = form.trimmed("thread")
        category = form.trimmed("category")
        collapseID = form.trimmed("collapse")
        custom = form.trimmed("custom")
        lifetimeHours = form.trimmed("lifetime")
        perSecond = form.trimmed("pace")
        ignoresQuietHours = form.has("any-hour")
        ignoresFrequencyCap = form.has("uncapped")
        timing = Timing(rawValue: form["when"]) ?? .now
        at = form.trimmed("at")
        zone = form.trimmed("zone")
        local = form.trimmed("local")
        recurrence = RecurrenceForm(form)
        requestID = String(form.trimmed("request").prefix(16))
    }

    private static func texts(_ form: FormFields) -> [Text] {
        let titles = form.all("title")
        let subtitles = form.all("subtitle")
        let bodies = form.all("body")
        let languages = form.all("text-language")
        var texts: [Text] = []
        for index in 0..<min(bodies.count, countMax) {
            texts.append(
                Text(
                    language: index < languages.count ? languages[index].trimmingBlanks : "",
                    title: index < titles.count ? titles[index] : "",
                    subtitle: index < subtitles.count ? subtitles[index] : "", body: bodies[index]))
        }
        return texts.isEmpty ? [Text()] : texts
    }

    // MARK: - The request

    /// The body of `POST /1.1/push`.
    ///
    /// - Throws: what a field cannot mean, named as the form names it.
    func body() throws(ConsoleRefusal) -> [String: JSONValue] {
        var body: [String: JSONValue] = ["data": .object(try data())]
        if !environment.isEmpty { body["prod"] = .string(environment) }
        if !requestID.isEmpty { body["req_id"] = .string(requestID) }
        switch audience {
        case .everyone: break
        case .channels:
            guard !channelNames.isEmpty else { throw ConsoleRefusal(400, .channelsMissing) }
            body["channels"] = .array(channelNames.map(JSONValue.string))
        case .condition: body["where"] = try condition()
        }
        if !lifetimeHours.isEmpty {
            guard let hours = Int64(lifetimeHours), 1...8784 ~= hours else {
                throw ConsoleRefusal(400, .badLifetime)
            }
            body["expiration_interval"] = .integer(hours * 3600)
        }
        if !perSecond.isEmpty {
            guard let count = Int64(perSecond), count >= 0 else { throw ConsoleRefusal(400, .badPace) }
            body["flow_control"] = .integer(count)
        }
        if ignoresQuietHours { body["ignore_quiet_hours"] = true }
        if ignoresFrequencyCap { body["ignore_frequency_cap"] = true }
        try addTime(to: &body)
        return body
    }

    /// The channels' names, which blanks and commas separate.
    var channelNames: [String] {
        channels.split { $0 == "," || $0 == "，" || $0.isWhitespace }.map(String.init)
    }

    private func condition() throws(ConsoleRefusal) -> JSONValue {
        var parts = try Condition.json(conditions)
        if matchesAny, parts.count > 1 { parts = [["$or": .array(parts)]] }
        if !json.isEmpty {
            guard let value = try? JSONValue(parsing: json), case .object = value else {
                throw ConsoleRefusal(400, .badConditionJSON)
            }
            parts.append(value)
        }
        guard !parts.isEmpty else { throw ConsoleRefusal(400, .conditionMissing) }
        return parts.count == 1 ? parts[0] : ["$and": .array(parts)]
    }

    private func data() throws(ConsoleRefusal) -> [String: JSONValue] {
        var data: [String: JSONValue] = [:]
        if !custom.isEmpty {
            guard let value = try? JSONValue(parsing: custom), case .object(let members) = value else {
                throw ConsoleRefusal(400, .badCustomJSON)
            }
            data = members
        }
        for (index, text) in texts.enumerated() where !text.isEmpty {
            if index > 0, text.language.isEmpty { throw ConsoleRefusal(400, .languageMissing) }
            data[index == 0 ? "alert" : "alert-\(text.language)"] = Self.alert(text)
        }
        if !sound.isEmpty { data["sound"] = .string(sound) }
        if !badge.isEmpty {
            if badge == "Increment" {
                data["badge"] = "Increment"
            } else {
                guard let number = Int64(badge), number >= 0 else { throw ConsoleRefusal(400, .badBadge) }
                data["badge"] = .integer(number)
            }
        }
        for (key, value) in [
            ("interruption-level", interruption), ("thread-id", thread), ("category", category),
            ("collapse-id", collapseID),
        ] where !value.isEmpty {
            data[key] = .string(value)
        }
        return data
    }

    private static func alert(_ text: Text) -> JSONValue {
        if text.title.isEmpty, text.subtitle.isEmpty { return .string(text.body) }
        var alert: [String: JSONValue] = [:]
        for (key, value) in [("title", text.title), ("subtitle", text.subtitle), ("body", text.body)]
        where !value.isEmpty {
            alert[key] = .string(value)
        }
        return .object(alert)
    }

    private func addTime(to body: inout [String: JSONValue]) throws(ConsoleRefusal) {
        switch timing {
        case .now: break
        case .at:
            guard let civil = Self.civil(at) else { throw ConsoleRefusal(400, .badTime) }
            guard let zone = try? Zone(zone) else { throw ConsoleRefusal(400, .badZone) }
            guard let instant = zone.occurrence(of: civil)?.instant else {
                throw ConsoleRefusal(400, .badTime)
            }
            body["push_time"] = .string(instant.iso8601)
        case .local:
            guard let civil = Self.civil(local) else { throw ConsoleRefusal(400, .badTime) }
            body["push_time"] = .string(civil.iso8601)
        case .recurring: body["schedule"] = try recurrence.json()
        }
    }

    /// A civil time of a browser's field, with or without seconds.
    static func civil(_ text: String) -> CivilDateTime? {
        CivilDateTime(iso8601: text.utf8.count == 16 ? text + ":00" : text)
    }
}
