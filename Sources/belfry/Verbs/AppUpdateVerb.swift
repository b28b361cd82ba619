internal import PushStore

/// `belfry app update`.
enum AppUpdateVerb: Verb {
    static let name = Option.optional("name", .text("NAME"), "A name for people.")
    static let topic = Option.optional("topic", .text("TOPIC"), "The app's bundle id.")
    static let clientPush = Option.optional(
        "client-push", ValueKind<String>.choice("YES", ["yes", "no"]), "Whether the app key may send pushes.")
    static let quietHours = Option.optional(
        "quiet-hours", .quietHours, "When nothing is shown, in each device's own zone; 'off' for never.")
    static let frequencyCap = Option.optional(
        "frequency-cap", .frequencyCap,
        "The most pushes one device gets in a span of time; 'off' for any number.")
    static let recordDays = Option.optional(
        "record-days", .integer("DAYS", 1...3650), "How long delivery records are kept.")
    static let auditDays = Option.optional(
        "audit-days", .integer("DAYS", 1...3650), "How long entries of the audit log are kept.")
    static let installationDays = Option.optional(
        "installation-days", .integer("DAYS", 1...3650),
        "After how long without an update an installation goes.")
    static let requestRate = Option.optional(
        "request-rate", .integer("N", 0...1_000_000), "Requests a second before 429; 0 for no limit.")
    static let language = Option.optional(
        "default-language", .text("TAG"),
        "The language of texts for devices whose own has none; 'none' for none.")

    static let declaration = VerbDeclaration(
        words: ["app", "update"],
        summary: "change an app's name, topic and settings",
        discussion: "What is not named stays as it is. A running service takes changes over within seconds.",
        options: [
            name.spec, topic.spec, clientPush.spec, quietHours.spec, frequencyCap.spec, recordDays.spec,
            auditDays.spec, installationDays.spec, requestRate.spec, language.spec,
        ] + StoreOptions.all,
        operands: OperandSpec(name: "ID", help: "The app's id.", countMin: 1, countMax: 1),
        examples: [
            .init(
                purpose: "quiet nights, and at most three pushes a day",
                command: "belfry app update news --quiet-hours 22:00-07:00 --frequency-cap 3/1d")
        ])

    static func run(
        _ options: ParsedOptions, in context: CommandContext
    ) async throws(CommandError) -> CommandStatus {
        let app = try await StoreOptions.with(options) { store in
            var app = try await StoreOptions.app(options.operands[0], in: store)
            let before = app
            app.name = options[name] ?? app.name
            app.topic = options[topic] ?? app.topic
            app.settings.allowsClientPush =
                options[clientPush].map { $0 == "yes" } ?? app.settings.allowsClientPush
            app.settings.quietHours =
                options.isGiven(quietHours) ? options[quietHours]?.value : app.settings.quietHours
            app.settings.frequencyCap =
                options.isGiven(frequencyCap) ? options[frequencyCap]?.value : app.settings.frequencyCap
            app.settings.recordDays = options[recordDays] ?? app.settings.recordDays
            app.settings.auditDays = options[auditDays] ?? app.settings.auditDays
            app.settings.installationDays = options[installationDays] ?? app.settings.installationDays
            app.settings.requestsPerSecondMax = options[requestRate] ?? app.settings.requestsPerSecondMax
            if let language = options[language] {
                app.settings.defaultLanguage = language == "none" ? nil : language
            }
            guard app != before else { throw CommandError.usage("needs something to change") }
            try await store.updateApp(app, now: context.instant)
            try await StoreOptions.record("app.update", app.id, app: app.number, in: store, context)
            return app
        }
        if context.isJSON {
            try context.console.printJSON(
                Report(id: app.id, name: app.name, topic: app.topic, settings: app.settings))
        } else {
            context.console.print("\(app.id) is changed")
        }
        return .done
    }

    private struct Report: Encodable, Sendable {
        var id: String
        var name: String
        var topic: String
        var settings: AppSettings
    }
}

/// A setting that can be switched off.
///
/// An optional would not do: a cast from nothing gives an optional's nil.
struct Switchable<Value: Sendable>: Sendable {
    var value: Value?
}

extension ValueKind where Value == Switchable<AppSettings.QuietHours> {
    /// `22:00-07:00`, or `off`.
    fileprivate static let quietHours = Self(
        placeholder: "TIMES", allowed: "two times of day such as 22:00-07:00, or off"
    ) { text in
        if text == "off" { return Switchable(value: nil) }
        guard let match = text.wholeMatch(of: /([0-9]{2}):([0-9]{2})-([0-9]{2}):([0-9]{2})/) else {
            return nil
        }
        let parts = [match.1, match.2, match.3, match.4].compactMap { Int($0) }
        guard parts.count == 4, parts[0] < 24, parts[2] < 24, parts[1] < 60, parts[3] < 60 else { return nil }
        let hours = AppSettings.QuietHours(
            startMinute: parts[0] * 60 + parts[1], endMinute: parts[2] * 60 + parts[3])
        return hours.startMinute == hours.endMinute ? nil : Switchable(value: hours)
    }
}

extension ValueKind where Value == Switchable<AppSettings.FrequencyCap> {
    /// `3/1d`, or `off`.
    fileprivate static let frequencyCap = Self(
        placeholder: "COUNT/TIME", allowed: "a count and a time such as 3/1d, or off"
    ) { text in
        if text == "off" { return Switchable(value: nil) }
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let count = Int(parts[0]), (1...10_000).contains(count),
            let span = ValueKind<Duration>.duration(max: .seconds(31 * 86_400)).read(String(parts[1])),
            span >= .seconds(1)
        else { return nil }
        return Switchable(
            value: AppSettings.FrequencyCap(countMax: count, seconds: Int(span.components.seconds)))
    }
}
