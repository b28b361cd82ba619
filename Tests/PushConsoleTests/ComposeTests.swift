import APNs
import PushStore
import Recurrence
import Testing

@testable import PushConsole

struct ComposeTests {
    private func composition(_ fields: [(String, String)]) -> Composition {
        Composition(FormFields(fields.map { (name: $0.0, value: $0.1) }))
    }

    @Test func `a form becomes the body of a push`() throws {
        let body = try composition([
            ("audience", "channels"), ("channels", "news, sports，science  "), ("prod", "prod"),
            ("text-language", ""), ("title", "Hello"), ("subtitle", ""), ("body", "World"),
            ("text-language", "zh-Hans"), ("title", ""), ("subtitle", ""), ("body", "世界"),
            ("sound", "default"), ("badge", "Increment"), ("interruption", "time-sensitive"), ("thread", "t"),
            ("collapse", "c"), ("custom", #"{"url": "https://example.com"}"#), ("lifetime", "2"),
            ("pace", "5000"),
            ("when", "at"), ("at", "2027-03-12T09:00"), ("zone", "Asia/Shanghai"), ("request", "abc123"),
        ]).body()
        #expect(
            body == [
                "channels": ["news", "sports", "science"], "prod": "prod", "req_id": "abc123",
                "expiration_interval": 7200, "flow_control": 5000, "push_time": "2027-03-12T01:00:00.000Z",
                "data": [
                    "alert": ["title": "Hello", "body": "World"], "alert-zh-Hans": "世界", "sound": "default",
                    "badge": "Increment", "interruption-level": "time-sensitive", "thread-id": "t",
                    "collapse-id": "c", "url": "https://example.com",
                ],
            ])
    }

    static let conditions: [(field: String, comparison: String, value: String, json: JSONValue)] = [
        ("age", "greater", "30", ["age": ["$gt": 30]]), ("vip", "equals", "true", ["vip": true]),
        ("city", "differs", "Paris", ["city": ["$ne": "Paris"]]),
        ("appVersion", "equals", "\"3.2\"", ["appVersion": "3.2"]),
        ("timeZone", "equals", "1", ["timeZone": "1"]),
        ("name", "begins", "a.b", ["name": ["$regex": "^a\\.b"]]),
        ("n", "oneOf", "1, x", ["n": ["$in": [1, "x"]]]), ("n", "missing", "", ["n": ["$exists": false]]),
        (
            "createdAt", "less", "2027-01-01",
            ["createdAt": ["$lt": ["__type": "Date", "iso": "2027-01-01T00:00:00.000Z"]]]
        ),
    ]

    @Test(arguments: conditions)
    func `a row of the builder becomes a condition`(
        row: (field: String, comparison: String, value: String, json: JSONValue)
    ) throws {
        let body = try composition([
            ("audience", "condition"), ("field", row.field), ("comparison", row.comparison),
            ("value", row.value),
            ("body", "x"),
        ]).body()
        #expect(body["where"] == row.json)
        _ = try WhereClause(row.json)
    }

    @Test func `rows are joined by all or any, and by JSON beside them`() throws {
        let rows = [
            ("audience", "condition"), ("field", "a"), ("comparison", "equals"), ("value", "1"),
            ("field", "b"),
            ("comparison", "equals"), ("value", "2"), ("body", "x"),
        ]
        #expect(try composition(rows).body()["where"] == ["$and": [["a": 1], ["b": 2]]])
        #expect(try composition(rows + [("match", "any")]).body()["where"] == ["$or": [["a": 1], ["b": 2]]])
        #expect(
            try composition(rows + [("match", "any"), ("where", #"{"c": 3}"#)]).body()["where"]
                == ["$and": [["$or": [["a": 1], ["b": 2]]], ["c": 3]]])
    }

    static let bad: [[(String, String)]] = [
        [("audience", "channels"), ("channels", " , ")], [("audience", "condition")],
        [("audience", "condition"), ("field", ""), ("comparison", "equals"), ("value", "1")],
        [("audience", "condition"), ("where", "[1]")], [("custom", "no")], [("badge", "-1")],
        [("badge", "x")],
        [("lifetime", "0")], [("pace", "fast")], [("when", "at"), ("at", "")],
        [("when", "at"), ("at", "2027-03-12T09:00"), ("zone", "Nowhere")],
        [("when", "local"), ("local", "x")],
        [("when", "recurring"), ("frequency", "weekly"), ("time-of-day", "09:00")],
        [("when", "recurring"), ("frequency", "monthly"), ("time-of-day", "09:00"), ("month-day", "32")],
        [("when", "recurring"), ("frequency", "daily"), ("time-of-day", "25:00")],
        [("when", "recurring"), ("frequency", "custom")],
        [("body", "x"), ("body", "y"), ("text-language", ""), ("text-language", "")],
    ]

    @Test(arguments: bad.indices)
    func `what a field cannot mean is refused by its name`(index: Int) {
        #expect(throws: ConsoleRefusal.self) { try composition(Self.bad[index]).body() }
    }

    @Test(arguments: [
        ([("frequency", "daily"), ("time-of-day", "09:05")], "FREQ=DAILY;BYHOUR=9;BYMINUTE=5"),
        (
            [("frequency", "weekly"), ("day", "FR"), ("day", "MO"), ("time-of-day", "18:30")],
            "FREQ=WEEKLY;BYDAY=MO,FR;BYHOUR=18;BYMINUTE=30"
        ),
        (
            [("frequency", "monthly"), ("month-day", "-1"), ("time-of-day", "00:00")],
            "FREQ=MONTHLY;BYMONTHDAY=-1;BYHOUR=0;BYMINUTE=0"
        ),
    ])
    func `repetition becomes a rule`(fields: [(String, String)], rule: String) throws {
        let form = RecurrenceForm(FormFields(fields.map { (name: $0.0, value: $0.1) }))
        #expect(try form.text() == rule)
        _ = try Rule(rule)
    }

    @Test func `a push that is composed again says the same`() throws {
        let data: [String: JSONValue] = [
            "alert": ["title": "T", "body": "B"], "alert-fr": "Bonjour", "badge": 3, "sound": "ring.caf",
            "interruption-level": "passive", "url": "https://example.com",
        ]
        var request = PushRequest(data: data)
        request.filter = try WhereClause(["age": ["$gt": 3]])
        request.environment = .sandbox
        let body = try Composition(again: request).body()
        #expect(body["data"] == .object(data))
        #expect(body["where"] == ["age": ["$gt": 3]])
        #expect(body["prod"] == "dev")
    }

    @Test func `the next times are told zone by zone, with what the clocks do`() throws {
        let now = try #require(Instant(iso8601: "2027-03-12T12:00:00Z"))
        let schedule = PushSchedule(rule: "FREQ=DAILY;BYHOUR=2;BYMINUTE=30", zone: .named("America/New_York"))
        let times = try FireTimes(schedule, createdAt: now, now: now)
        let column = try #require(times.columns.first)
        #expect(column.occurrences.count == FireTimes.count)
        #expect(column.occurrences.allSatisfy { $0.instant > now })
        // The night on which clocks go from two to three.
        #expect(column.occurrences[1].note != nil)
        let device = try FireTimes(
            PushSchedule(rule: "FREQ=DAILY;BYHOUR=9;BYMINUTE=0"), createdAt: now, now: now)
        #expect(device.columns.map(\.zone) == FireTimes.zones)
        for column in device.columns {
            #expect(column.occurrences.count == FireTimes.count)
            #expect(column.occurrences.allSatisfy { $0.local.time.hour == 9 && $0.instant > now })
        }
        #expect(throws: StoreError.self) {
            try FireTimes(PushSchedule(rule: "FREQ=NEVER"), createdAt: now, now: now)
        }
        // A schedule that began long ago is told from now on, not from its start.
        let old = try FireTimes(schedule, createdAt: now.advanced(bySeconds: -800 * 86_400), now: now)
        #expect(old.columns.first?.occurrences.count == FireTimes.count)
    }

    // MARK: - Pages

    private static let form = [
        ("audience", "everyone"), ("text-language", ""), ("title", "Hello"), ("subtitle", ""),
        ("body", "World"),
        ("when", "now"), ("request", "abcdefgh12345678"),
    ]

    @Test func `from the form to the push, once`() async throws {
        try await ConsoleFixture.with { fixture in
            for number in 1...12 { try await fixture.install(number, ["channels": ["news"]]) }
            let browser = try await fixture.browser(.sender)
            let page = try await browser.get("/console/apps/news/compose")
            #expect(page.status == 200)
            let count = try await browser.post("/console/apps/news/compose/audience", Self.form)
            #expect(count.text.contains("data-count=\"12\""))
            let confirm = try await browser.post("/console/apps/news/compose/confirm", Self.form)
            #expect(confirm.text.contains("twelve devices"))
            let sent = try await browser.post("/console/apps/news/compose/send", Self.form)
            #expect(sent.status == 303)
            let location = try #require(sent.location)
            // The same form a second time is the same push.
            #expect(try await browser.post("/console/apps/news/compose/send", Self.form).location == location)
            #expect(
                try await fixture.store.pushes(before: nil, limit: 10, app: fixture.app.number).count == 1)
            #expect(try await browser.get(location).text.contains("Hello"))
            let entry = try #require(try await fixture.store.auditLog(app: nil, limit: 1).first)
            #expect(entry.action == "push.send")
            #expect(entry.actor == "console: sender")
        }
    }

    @Test func `what cannot be sent is said on the form, which keeps what was typed`() async throws {
        try await ConsoleFixture.with { fixture in
            let browser = try await fixture.browser(.sender)
            let fields =
                Self.form.filter { $0.0 != "audience" } + [("audience", "channels"), ("channels", "a b!")]
            for step in ["confirm", "send"] {
                let answer = try await browser.post("/console/apps/news/compose/\(step)", fields)
                #expect(answer.status == 400)
                #expect(answer.text.contains("value=\"a b!\""))
                #expect(answer.text.contains("World"))
            }
            // Each part of the page says what is its own.
            for (part, fields) in [("audience", fields), ("check", Self.form + [("custom", "no")])] {
                let answer = try await browser.post("/console/apps/news/compose/\(part)", fields)
                #expect(answer.status == 200)
                #expect(answer.text.contains("notice warn"), "\(part)")
            }
            #expect(try await fixture.store.pushes(before: nil, limit: 10, app: fixture.app.number).isEmpty)
        }
    }

    @Test func `test devices get it at once, and nobody else`() async throws {
        try await ConsoleFixture.with { fixture in
            try await fixture.install(1, ["test": true])
            try await fixture.install(2)
            let browser = try await fixture.browser(.sender)
            let fields =
                Self.form.filter { $0.0 != "when" } + [("when", "local"), ("local", "2027-03-12T09:00")]
            #expect(try await browser.post("/console/apps/news/compose/test", fields).status == 303)
            let push = try #require(
                try await fixture.store.pushes(before: nil, limit: 1, app: fixture.app.number).first)
            #expect(push.request.isTest)
            #expect(push.request.time == .now)
            #expect(push.request.requestID == nil)
        }
    }

    @Test func `what the app holds back can be let through, where there is something to hold back`()
        async throws
    {
        try await ConsoleFixture.with { fixture in
            try await fixture.install(1)
            let browser = try await fixture.browser(.sender)
            #expect(try await !browser.get("/console/apps/news/compose").text.contains("any-hour"))
            var app = fixture.app
            app.settings.quietHours = .init(startMinute: 22 * 60, endMinute: 7 * 60)
            app.settings.frequencyCap = .init(countMax: 3, seconds: 86_400)
            try await fixture.store.updateApp(app, now: fixture.now)
            let page = try await browser.get("/console/apps/news/compose").text
            #expect(page.contains("name=\"any-hour\"") && page.contains("name=\"uncapped\""))
            let fields = Self.form + [("any-hour", "1")]
            #expect(try await browser.post("/console/apps/news/compose/send", fields).status == 303)
            let push = try #require(
                try await fixture.store.pushes(before: nil, limit: 1, app: fixture.app.number).first)
            #expect(push.request.ignoresQuietHours && !push.request.ignoresFrequencyCap)
            // Composed again it is still let through.
            #expect(Composition(again: push.request).ignoresQuietHours)
        }
    }

    @Test func `a last look shows how the audience divides`() async throws {
        try await ConsoleFixture.with { fixture in
            for number in 1...3 { try await fixture.install(number, ["timeZone": "Asia/Tokyo"]) }
            let browser = try await fixture.browser(.sender)
            let confirm = try await browser.post("/console/apps/news/compose/confirm", Self.form)
            #expect(confirm.text.contains("Asia/Tokyo"))
        }
    }

    @Test func `each rule of the checks has a text in Chinese`() async throws {
        for rule in LintRule.allCases {
            #expect(FindingText.phrase(rule: rule.rawValue) != nil, "\(rule)")
        }
        for rule in [
            "message", "background-priority", "missing-default-text", "variable-without-default",
            "unreadable-variable",
        ] {
            #expect(FindingText.phrase(rule: rule) != nil, "\(rule)")
        }
        #expect(FindingText.phrase(rule: "none") == nil)
        try await ConsoleFixture.with { fixture in
            let browser = try await fixture.browser(.sender, language: "zh-CN")
            let fields = Self.form.filter { $0.0 != "body" } + [("body", "Hello {{name}}")]
            let answer = try await browser.post("/console/apps/news/compose/check", fields)
            #expect(answer.text.contains("变量没有默认值"))
            // The values that were found stand beside it.
            #expect(answer.text.contains("{{name}} is empty"))
        }
    }

    @Test func `without a script buttons add languages and conditions`() async throws {
        try await ConsoleFixture.with { fixture in
            let browser = try await fixture.browser(.sender)
            for (what, id) in [("language", "id=\"title-1\""), ("condition", "id=\"field-name-1\"")] {
                let page = try await browser.post("/console/apps/news/compose", Self.form + [("add", what)])
                #expect(page.status == 200)
                #expect(page.text.contains(id))
                #expect(page.text.contains("World"))
            }
        }
    }
}
