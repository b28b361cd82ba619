internal import PushStore
internal import Recurrence

/// The form for a push, with the previews beside it.
struct ComposeForm {
    let composition: Composition
    let app: App
    let visit: Visit

    var node: Node {
        form(
            .id("compose"), .method("post"), .action(link("confirm")), .class("compose"),
            .data("check", link("check")), .data("audience", link("audience"))
        ) {
            visit.formToken
            input(.type("hidden"), .name("request"), .value(composition.requestID))
            div(.class("compose-main")) {
                message
                audience
                timing
                options
            }
            div(.class("compose-side")) {
                preview
                section(.class("card")) {
                    h2 { visit(.findings) }
                    div(.id("check"), .aria("live", "polite")) {
                        p(.class("muted")) { visit(.findingsLead) }
                    }
                }
                section(.class("card actions-card")) {
                    button(.type("submit"), .class("primary wide")) { visit(.review) }
                    button(.type("submit"), .class("wide"), .formAction(link("test"))) { visit(.sendTest) }
                    p(.class("hint")) { visit(.sendTestHint) }
                }
            }
        }
    }

    private func link(_ name: String) -> Link { Link("apps", app.id, "compose", name) }

    // MARK: - Message

    private var message: Node {
        section(.class("card")) {
            h2 { visit(.message) }
            div(.id("texts")) {
                for (index, text) in composition.texts.enumerated() { fields(text, index) }
            }
            templateElement(.id("text-template")) { fields(Composition.Text(language: "zh-Hans"), nil) }
            button(
                .type("submit"), .class("quiet"), .name("add"), .value("language"),
                .formAction(Link("apps", app.id, "compose")), .data("clone", "text-template"),
                .data("into", "texts")
            ) { visit(.addLanguage) }
            p(.class("hint")) { visit(.variablesHint) }
        }
    }

    /// The texts of one language; without an index they are a template.
    private func fields(_ text: Composition.Text, _ index: Int?) -> Node {
        let key = index.map(String.init) ?? "new"
        return fieldset(.class("text"), .data("text", key)) {
            if index == 0 {
                legend { visit(.anyLanguage) }
                input(.type("hidden"), .name("text-language"), .value(""))
            } else {
                legend { visit(.oneLanguage) }
                div(.class("row-form")) {
                    Field.text(
                        "text-language", visit(.languageTag), value: text.language, id: "language-\(key)",
                        .list("languages"), .maxlength(20))
                    button(.type("button"), .class("quiet remove"), .data("remove", "fieldset")) {
                        visit(.remove)
                    }
                }
            }
            Field.text("title", visit(.title), value: text.title, id: "title-\(key)", .maxlength(500))
            Field.text(
                "subtitle", visit(.subtitle), value: text.subtitle, id: "subtitle-\(key)", .maxlength(500))
            Field.area("body", visit(.body), value: text.body, id: "body-\(key)", .maxlength(4000))
            if index == 0 {
                datalist(.id("languages")) {
                    for tag in [
                        "zh-Hans", "zh-Hant", "en", "ja", "ko", "fr", "de", "es", "pt", "ru", "ar", "th",
                        "vi",
                    ] {
                        option(.value(tag))
                    }
                }
            }
        }
    }

    // MARK: - Audience

    private var audience: Node {
        section(.class("card")) {
            h2 { visit(.audience) }
            fieldset(.class("choices")) {
                legend { visit(.audienceLegend) }
                for kind in Composition.Audience.allCases {
                    Field.radio(
                        "audience", kind.rawValue, visit(Self.phrase(kind)),
                        isOn: composition.audience == kind)
                }
            }
            div(.class("part"), .data("when", "audience=channels")) {
                Field.text(
                    "channels", visit(.channels), value: composition.channels, hint: visit(.channelsHint))
            }
            div(.class("part"), .data("when", "audience=condition")) {
                conditions
            }
            Field.choice(
                "prod", visit(.environment),
                [("", visit(.anyEnvironment)), ("prod", visit(.production)), ("dev", visit(.sandbox))],
                selected: composition.environment)
            div(.id("audience-panel"), .class("panel"), .aria("live", "polite")) {
                p(.class("muted")) { visit(.counting) }
            }
        }
    }

    private static func phrase(_ kind: Composition.Audience) -> Phrase {
        switch kind {
        case .everyone: .everyone
        case .channels: .channelsChoice
        case .condition: .conditionChoice
        }
    }

    private var conditions: [Node] {
        [
            Field.choice(
                "match", visit(.match), [("all", visit(.matchAll)), ("any", visit(.matchAny))],
                selected: composition.matchesAny ? "any" : "all"),
            div(.id("conditions")) {
                for (index, row) in composition.conditions.enumerated() { conditionRow(row, String(index)) }
            },
            templateElement(.id("condition-template")) { conditionRow(Condition(), "new") },
            datalist(.id("fields")) { Condition.suggestedFields.map { name in option(.value(name)) } },
            button(
                .type("submit"), .class("quiet"), .name("add"), .value("condition"),
                .formAction(Link("apps", app.id, "compose")), .data("clone", "condition-template"),
                .data("into", "conditions")
            ) { visit(.addCondition) },
            details(.flag("open", !composition.json.isEmpty)) {
                summary { visit(.asJSON) }
                Field.area(
                    "where", visit(.conditionJSON), value: composition.json, rows: 4,
                    hint: #"{"age": {"$gte": 18}}"#)
            },
        ]
    }

    private func conditionRow(_ row: Condition, _ key: String) -> Node {
        fieldset(.class("condition")) {
            legend(.class("sr-only")) { visit(.condition) }
            Field.text("field", visit(.field), value: row.field, id: "field-name-\(key)", .list("fields"))
            Field.choice(
                "comparison", visit(.comparison),
                Condition.Comparison.allCases.map { ($0.rawValue, visit($0.phrase)) },
                selected: row.comparison.rawValue, id: "comparison-\(key)")
            Field.text("value", visit(.value), value: row.value, id: "value-\(key)")
            button(.type("button"), .class("quiet remove"), .data("remove", "fieldset")) { visit(.remove) }
        }
    }

    // MARK: - Time

    private var timing: Node {
        section(.class("card")) {
            h2 { visit(.time) }
            fieldset(.class("choices")) {
                legend { visit(.timeLegend) }
                for kind in Composition.Timing.allCases {
                    Field.radio(
                        "when", kind.rawValue, visit(Self.phrase(kind)), isOn: composition.timing == kind)
                }
            }
            div(.class("part row-form"), .data("when", "when=at")) {
                Field.text("at", visit(.dateAndTime), value: composition.at, type: "datetime-local")
                Field.text(
                    "zone", visit(.zone), value: composition.zone, .list("zones"), .data("own-zone", "1"))
            }
            div(.class("part"), .data("when", "when=local")) {
                Field.text(
                    "local", visit(.dateAndTime), value: composition.local, type: "datetime-local",
                    hint: visit(.localHint))
            }
            div(.class("part"), .data("when", "when=recurring")) { recurring }
            div(.id("times"), .aria("live", "polite"))
            datalist(.id("zones")) {
                for name in FireTimes.zones + [
                    "UTC", "Asia/Tokyo", "Asia/Singapore", "Europe/Berlin", "America/Los_Angeles",
                ] {
                    option(.value(name))
                }
            }
        }
    }

    private static func phrase(_ kind: Composition.Timing) -> Phrase {
        switch kind {
        case .now: .atOnce
        case .at: .atTime
        case .local: .atLocalTime
        case .recurring: .again
        }
    }

    private var recurring: [Node] {
        let form = composition.recurrence
        return [
            div(.class("row-form")) {
                Field.choice(
                    "frequency", visit(.frequency),
                    RecurrenceForm.Frequency.allCases.map { ($0.rawValue, visit($0.phrase)) },
                    selected: form.frequency.rawValue)
                Field.text("time-of-day", visit(.timeOfDay), value: form.timeOfDay, type: "time")
                Field.text(
                    "schedule-zone", visit(.zone), value: form.zone, .list("zones"),
                    .placeholder(visit(.zoneOfDevice)))
                Field.text("until", visit(.until), value: form.until, type: "date")
            },
            fieldset(.class("days"), .data("when", "frequency=weekly")) {
                legend { visit(.daysOfWeek) }
                for day in Weekday.allCases {
                    Field.check(
                        "day", visit(WeekdayText.short(day)), value: day.code,
                        isOn: form.days.contains(day.code))
                }
            },
            div(.data("when", "frequency=monthly")) {
                Field.text(
                    "month-day", visit(.monthDay), value: form.monthDay, type: "number",
                    hint: visit(.monthDayHint), .min("-1"), .max("31"))
            },
            div(.data("when", "frequency=custom")) {
                Field.text(
                    "rule", visit(.rule), value: form.rule,
                    hint: "FREQ=WEEKLY;BYDAY=MO,WE;BYHOUR=8;BYMINUTE=30")
            },
        ]
    }

    // MARK: - Options

    private var options: Node {
        details(.class("card"), .flag("open", false)) {
            summary { h2 { visit(.options) } }
            div(.class("grid-form")) {
                Field.text("sound", visit(.sound), value: composition.sound, hint: visit(.soundHint))
                Field.text("badge", visit(.badge), value: composition.badge, hint: visit(.badgeHint))
                Field.choice(
                    "interruption", visit(.interruption),
                    [
                        ("", visit(.interruptionDefault)), ("passive", visit(.passive)),
                        ("active", visit(.active)), ("time-sensitive", visit(.timeSensitive)),
                    ], selected: composition.interruption)
                Field.text(
                    "lifetime", visit(.lifetime), value: composition.lifetimeHours, type: "number", .min("1"))
                Field.text("thread", visit(.thread), value: composition.thread)
                Field.text("category", visit(.category), value: composition.category)
                Field.text(
                    "collapse", visit(.collapse), value: composition.collapseID, hint: visit(.collapseHint))
                Field.text(
                    "pace", visit(.pace), value: composition.perSecond, type: "number",
                    hint: visit(.paceHint),
                    .min("1000"))
            }
            if app.settings.quietHours != nil || composition.ignoresQuietHours {
                Field.check("any-hour", visit(.anyHour), isOn: composition.ignoresQuietHours)
            }
            if app.settings.frequencyCap != nil || composition.ignoresFrequencyCap {
                Field.check("uncapped", visit(.uncapped), isOn: composition.ignoresFrequencyCap)
            }
            Field.area(
                "custom", visit(.custom), value: composition.custom, rows: 4,
                hint: #"{"url": "https://example.com/article/1"}"#)
        }
    }

    // MARK: - Preview

    private var preview: Node {
        section(.class("card preview"), .aria("label", visit(.preview))) {
            div(.class("page-line")) {
                h2 { visit(.preview) }
                div(.class("tabs")) {
                    for (name, phrase) in [
                        ("lock", Phrase.previewLock), ("banner", .previewBanner), ("list", .previewList),
                    ] {
                        button(
                            .type("button"), .class("tab"), .data("preview", name),
                            .aria("pressed", name == "lock" ? "true" : "false")
                        ) { visit(phrase) }
                    }
                }
            }
            div(.class("phone lock"), .id("phone"), .role("img"), .aria("label", visit(.previewLabel))) {
                div(.class("island"))
                div(.class("lock-date")) { "\(visit(.monday)) 30" }
                div(.class("lock-time")) { "9:41" }
                div(.class("home-icons")) { for _ in 0..<8 { span() } }
                div(.class("bubbles")) {
                    bubble(isMain: true)
                    bubble(isMain: false)
                }
            }
        }
    }

    private func bubble(isMain: Bool) -> Node {
        div(.class(isMain ? "bubble main" : "bubble other")) {
            span(.class("bubble-icon")) { String(app.name.prefix(1)).uppercased() }
            div(.class("bubble-text")) {
                div(.class("bubble-line")) {
                    span(.class("bubble-title"), .data("preview-of", isMain ? "title" : "")) { app.name }
                    span(.class("bubble-when")) { visit(isMain ? .justNow : .anHourAgo) }
                }
                if isMain {
                    span(.class("bubble-subtitle"), .data("preview-of", "subtitle"))
                    span(
                        .class("bubble-body"), .data("preview-of", "body"),
                        .data("empty", visit(.previewEmpty))
                    ) {
                        visit(.previewEmpty)
                    }
                } else {
                    span(.class("bubble-body")) { visit(.earlierNotification) }
                }
            }
        }
    }
}
