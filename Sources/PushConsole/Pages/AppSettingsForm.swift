internal import PushStore
internal import Transport

/// An app's settings: shown to all, changed by owners.
enum AppSettingsForm {
    /// Spans of time that a frequency cap is told in, longest first.
    enum Unit: String, CaseIterable {
        case days, hours, minutes

        var seconds: Int {
            switch self {
            case .days: 86_400
            case .hours: 3600
            case .minutes: 60
            }
        }

        var phrase: Phrase {
            switch self {
            case .days: .unitDays
            case .hours: .unitHours
            case .minutes: .unitMinutes
            }
        }

        /// The longest unit of which a span is a whole number.
        init(of seconds: Int) {
            self = Self.allCases.first { seconds.isMultiple(of: $0.seconds) } ?? .minutes
        }
    }

    static func node(_ app: App, _ visit: Visit) -> Node {
        section(.class("card")) {
            h2 { visit(.settings) }
            if visit.may(.owner) { fields(app, visit) } else { facts(app, visit) }
        }
    }

    // MARK: - Shown

    private static func facts(_ app: App, _ visit: Visit) -> Node {
        let settings = app.settings
        return dl(.class("facts")) {
            dt { visit(.topicField) }
            dd { code { app.topic } }
            dt { visit(.recordDays) }
            dd { String(settings.recordDays) }
            dt { visit(.auditDays) }
            dd { String(settings.auditDays) }
            dt { visit(.installationDays) }
            dd { String(settings.installationDays) }
            dt { visit(.quietHours) }
            dd { settings.quietHours.map { text($0) } ?? visit(.no) }
            dt { visit(.frequencyCap) }
            dd {
                settings.frequencyCap.map { cap in
                    let unit = Unit(of: cap.seconds)
                    return visit(
                        .capText, String(cap.countMax), String(cap.seconds / unit.seconds), visit(unit.phrase)
                    )
                } ?? visit(.no)
            }
        }
    }

    /// `22:00–07:00`.
    private static func text(_ hours: AppSettings.QuietHours) -> String {
        "\(clock(hours.startMinute))–\(clock(hours.endMinute))"
    }

    /// Minutes after midnight as a browser's field for times has them: `07:30`.
    static func clock(_ minutes: Int) -> String {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }
        return two(minutes / 60) + ":" + two(minutes % 60)
    }

    // MARK: - Changed

    private static func fields(_ app: App, _ visit: Visit) -> Node {
        let settings = app.settings
        // What was typed stays when something of it was refused.
        func value(_ name: String, _ stored: String) -> String {
            visit.form.has("app-name") ? visit.form.trimmed(name) : stored
        }
        let cap = settings.frequencyCap
        let unit = cap.map { Unit(of: $0.seconds) } ?? .days
        return form(.method("post"), .action(Link("apps", app.id, "settings"))) {
            visit.formToken
            Field.text(
                "app-name", visit(.name), value: value("app-name", app.name), .flag("required"),
                .maxlength(100))
            Field.text("topic", visit(.topicField), value: value("topic", app.topic), .flag("required"))
            Field.text(
                "default-language", visit(.defaultLanguage),
                value: value("default-language", settings.defaultLanguage ?? ""),
                hint: visit(.defaultLanguageHint))
            div(.class("grid-form")) {
                Field.text(
                    "record-days", visit(.recordDays),
                    value: value("record-days", String(settings.recordDays)), type: "number", .min("1"),
                    .max("3650"))
                Field.text(
                    "audit-days", visit(.auditDays),
                    value: value("audit-days", String(settings.auditDays)), type: "number", .min("1"),
                    .max("3650"))
                Field.text(
                    "installation-days", visit(.installationDays),
                    value: value("installation-days", String(settings.installationDays)), type: "number",
                    .min("1"), .max("3650"))
            }
            fieldset(.class("setting")) {
                legend { visit(.quietHours) }
                p(.class("hint")) { visit(.quietHoursLead) }
                div(.class("row-form")) {
                    Field.text(
                        "quiet-from", visit(.from),
                        value: value("quiet-from", settings.quietHours.map { clock($0.startMinute) } ?? ""),
                        type: "time")
                    Field.text(
                        "quiet-to", visit(.to),
                        value: value("quiet-to", settings.quietHours.map { clock($0.endMinute) } ?? ""),
                        type: "time")
                }
            }
            fieldset(.class("setting")) {
                legend { visit(.frequencyCap) }
                p(.class("hint")) { visit(.frequencyCapLead) }
                div(.class("row-form")) {
                    Field.text(
                        "cap-count", visit(.capCount),
                        value: value("cap-count", cap.map { String($0.countMax) } ?? ""), type: "number",
                        .min("1"), .max("10000"))
                    Field.text(
                        "cap-span", visit(.capSpan),
                        value: value("cap-span", cap.map { String($0.seconds / unit.seconds) } ?? "1"),
                        type: "number", .min("1"))
                    Field.choice(
                        "cap-unit", visit(.unit), Unit.allCases.map { ($0.rawValue, visit($0.phrase)) },
                        selected: value("cap-unit", unit.rawValue))
                }
            }
            Field.check(
                "client-push", visit(.allowsClientPush),
                isOn: visit.form.has("app-name")
                    ? visit.form.has("client-push") : settings.allowsClientPush)
            button(.type("submit")) { visit(.save) }
        }
    }

    /// The app as the form wants it.
    ///
    /// - Throws: what a field cannot mean.
    static func read(_ form: FormFields, _ stored: App) throws(ConsoleRefusal) -> App {
        var app = stored
        guard let recordDays = Int(form.trimmed("record-days")),
            let auditDays = Int(form.trimmed("audit-days")),
            let installationDays = Int(form.trimmed("installation-days"))
        else { throw ConsoleRefusal(400, .malformedForm) }
        let language = form.trimmed("default-language")
        app.name = form.trimmed("app-name")
        app.topic = form.trimmed("topic")
        app.settings.defaultLanguage = language.isEmpty ? nil : language
        app.settings.recordDays = recordDays
        app.settings.auditDays = auditDays
        app.settings.installationDays = installationDays
        app.settings.allowsClientPush = form.has("client-push")
        app.settings.quietHours = try quietHours(form)
        app.settings.frequencyCap = try frequencyCap(form)
        return app
    }

    private static func quietHours(
        _ form: FormFields
    ) throws(ConsoleRefusal) -> AppSettings.QuietHours? {
        let (from, to) = (form.trimmed("quiet-from"), form.trimmed("quiet-to"))
        if from.isEmpty, to.isEmpty { return nil }
        // A whole day of them would keep everything for ever.
        guard let start = minutes(from), let end = minutes(to), start != end else {
            throw ConsoleRefusal(400, .badQuietHours)
        }
        return AppSettings.QuietHours(startMinute: start, endMinute: end)
    }

    /// Minutes after midnight of `07:30`, with or without seconds.
    private static func minutes(_ text: String) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), parts.allSatisfy({ $0.utf8.count == 2 }),
            let hour = Int(parts[0]), let minute = Int(parts[1]), 0...23 ~= hour, 0...59 ~= minute
        else { return nil }
        return hour * 60 + minute
    }

    private static func frequencyCap(
        _ form: FormFields
    ) throws(ConsoleRefusal) -> AppSettings.FrequencyCap? {
        let count = form.trimmed("cap-count")
        if count.isEmpty { return nil }
        guard let countMax = Int(count), let span = Int(form.trimmed("cap-span")), 1...44_640 ~= span,
            let unit = Unit(rawValue: form["cap-unit"])
        else { throw ConsoleRefusal(400, .badFrequencyCap) }
        return AppSettings.FrequencyCap(countMax: countMax, seconds: span * unit.seconds)
    }

    // MARK: - For the audit log

    /// What differs, as the command line's options would say it; empty when nothing does.
    static func changes(from old: App, to new: App) -> String {
        var changes: [String] = []
        func note(_ name: String, _ before: String, _ after: String) {
            if before != after { changes.append("\(name) \(before) → \(after)") }
        }
        note("name", old.name, new.name)
        note("topic", old.topic, new.topic)
        let (before, after) = (old.settings, new.settings)
        note("default-language", before.defaultLanguage ?? "none", after.defaultLanguage ?? "none")
        note("record-days", String(before.recordDays), String(after.recordDays))
        note("audit-days", String(before.auditDays), String(after.auditDays))
        note("installation-days", String(before.installationDays), String(after.installationDays))
        note("client-push", before.allowsClientPush ? "yes" : "no", after.allowsClientPush ? "yes" : "no")
        note("quiet-hours", audit(before.quietHours), audit(after.quietHours))
        note("frequency-cap", audit(before.frequencyCap), audit(after.frequencyCap))
        return changes.joined(separator: ", ")
    }

    private static func audit(_ hours: AppSettings.QuietHours?) -> String {
        hours.map { "\(clock($0.startMinute))-\(clock($0.endMinute))" } ?? "off"
    }

    private static func audit(_ cap: AppSettings.FrequencyCap?) -> String {
        guard let cap else { return "off" }
        let unit = Unit(of: cap.seconds)
        return "\(cap.countMax)/\(cap.seconds / unit.seconds)\(unit.rawValue.prefix(1))"
    }
}
