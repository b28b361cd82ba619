import APNs
import PushStore
import Recurrence
import Testing
import Transport

@testable import PushConsole

struct PagesTests {
    static let hostile = "\"><script>alert('x')</script><img src=x onerror=alert(1)>"

    /// Fills an app with texts that want to be markup.
    private func fill(_ fixture: ConsoleFixture) async throws -> (push: Push, installation: String) {
        let now = fixture.now
        let id = try await fixture.install(
            1,
            [
                "name": .string(Self.hostile), "timeZone": .string(Self.hostile),
                "localeIdentifier": .string(Self.hostile),
            ])
        var request = PushRequest(data: [
            "alert": ["title": .string(Self.hostile), "body": .string(Self.hostile)],
            "url": .string(Self.hostile),
        ])
        request.filter = try WhereClause(["name": .string(Self.hostile)])
        let push = try await fixture.store.createPush(request, app: fixture.app, now: now).push
        var later = request
        later.schedule = PushSchedule(rule: "FREQ=DAILY;BYHOUR=9;BYMINUTE=0")
        _ = try await fixture.store.createPush(later, app: fixture.app, now: now)
        _ = try await fixture.store.advance(now: now)
        while try await fixture.store.planChunk(now: now) {}
        let batch = try #require(
            try await fixture.store.claimBatch(
                owner: "o", leaseUntil: now.advanced(bySeconds: 60), held: [], now: now))
        _ = try await fixture.store.store(
            BatchReport(outcomes: batch.outcomes.map { _ in .accepted }, next: .stop(Self.hostile)),
            of: batch, now: now)
        _ = try await fixture.store.recordEvents(
            [BehaviourEvent(source: .objectID(id), name: Self.hostile, tags: [Self.hostile: 1], at: now)],
            app: fixture.app.number, now: now)
        try await fixture.store.recordAudit(
            AuditEntry(at: now, app: nil, actor: Self.hostile, action: Self.hostile, detail: Self.hostile))
        return (push, id)
    }

    static let paths = [
        "overview", "overview/series", "overview/devices", "compose", "pushes", "schedules", "installations",
        "installations/results?q=deviceType%3Dios", "events", "events/interests", "credentials",
    ]

    @Test(arguments: Language.allCases)
    func `no text of anybody's becomes markup on any page`(language: Language) async throws {
        try await ConsoleFixture.with { fixture in
            let (push, id) = try await fill(fixture)
            let browser = try await fixture.browser(.owner, language: language.rawValue)
            var all = Self.paths.map { "/console/apps/news/\($0)" }
            all += [
                "/console/apps", "/console/users", "/console/audit",
                "/console/apps/news/pushes/\(push.objectID)",
                "/console/apps/news/pushes/\(push.objectID)/live",
                "/console/apps/news/pushes/\(push.objectID)/row",
                "/console/apps/news/installations/\(id)", "/console/apps/news/installations/\(id)/history",
                "/console/apps/news/explain?push=\(push.objectID)&installation=\(id)",
                "/console/apps/news/compose?from=\(push.objectID)",
                "/console/apps/news/installations?q=\(Link.escaped(Self.hostile))",
                "/console/apps/news/installations/results?q=\(Link.escaped(Self.hostile))",
                "/console/apps/news/explain?push=\(Link.escaped(Self.hostile))&installation=x",
                "/console/apps/\(Link.escaped(Self.hostile))/overview",
            ]
            for path in all {
                let answer = try await browser.get(path)
                #expect(
                    [200, 404].contains(answer.status), "\(path): \(answer.status) \(answer.text.prefix(300))"
                )
                #expect(!answer.text.contains("<script>"), "\(path)")
                #expect(!answer.text.contains("<img"), "\(path)")
                #expect(!answer.text.contains("{0}") && !answer.text.contains("{1}"), "\(path)")
            }
        }
    }

    @Test func `secrets stand on no page`() async throws {
        try await ConsoleFixture.with { fixture in
            let (push, id) = try await fill(fixture)
            let browser = try await fixture.browser(.owner)
            let token = try #require(
                try await fixture.store.installation(objectID: id, app: fixture.app.number)?.deviceToken)
            for path in [
                "credentials", "installations", "installations/\(id)", "pushes/\(push.objectID)",
                "explain?push=\(push.objectID)&installation=\(id)",
            ] {
                let text = try await browser.get("/console/apps/news/\(path)").text
                for secret in ["app-key-1", "master-key-1", token] {
                    #expect(!text.contains(secret), "\(path)")
                }
            }
        }
    }

    @Test(arguments: ["none", "..", "%2e%2e", "a%2Fb", "a%20b"])
    func `what is not there is not found`(id: String) async throws {
        try await ConsoleFixture.with { fixture in
            let browser = try await fixture.browser(.owner)
            for path in [
                "apps/\(id)/overview", "apps/news/pushes/\(id)", "apps/news/installations/\(id)",
                "apps/news/explain?push=\(id)&installation=\(id)",
            ] {
                let answer = try await browser.get("/console/\(path)")
                #expect(answer.status == 404, "\(path)")
            }
        }
    }

    @Test func `faults that need a person are named`() async throws {
        try await ConsoleFixture.with { fixture in
            let (push, _) = try await fill(fixture)
            let browser = try await fixture.browser(.viewer)
            let text = try await browser.get("/console/apps/news/overview").text
            #expect(text.contains("No credential for APNs."))
            #expect(text.contains("/console/apps/news/pushes/\(push.objectID)"))
            #expect(text.contains("was stopped"))
        }
    }

    @Test(arguments: [
        (Int64(60), true, false), (20, true, false), (3, true, true), (-1, true, true), (90, false, false),
    ])
    func `certificates are spoken of before they end`(days: Int64, isNamed: Bool, isUrgent: Bool) async throws
    {
        let isNamed = isNamed && days < Concern.warningDays
        try await ConsoleFixture.with { fixture in
            let credential = PushCredential(
                number: 1, secret: .certificate(pem: ""), environments: [.production],
                topics: ["com.example.news"],
                expiresAt: fixture.now.advanced(bySeconds: days * 86_400 + 60), createdAt: fixture.now)
            let visit = Visit(
                request: HTTPRequest(path: "/console"), parameters: PathParameters(), now: fixture.now,
                language: .english, signedIn: nil, apps: [], app: nil, form: FormFields())
            let concerns = Concern.ofCredentials([credential], fixture.app, visit)
            #expect(concerns.count == (isNamed ? 1 : 0))
            #expect(concerns.first?.isUrgent ?? false == isUrgent)
        }
    }

    @Test func `a viewer is shown no forms but searches`() async throws {
        try await ConsoleFixture.with { fixture in
            let (push, id) = try await fill(fixture)
            let browser = try await fixture.browser(.viewer)
            for path in [
                "overview", "pushes", "pushes/\(push.objectID)", "schedules", "installations/\(id)",
                "credentials",
            ] {
                let text = try await browser.get("/console/apps/news/\(path)").text
                #expect(text.components(of: "method=\"post\"") == 1, "only signing out: \(path)")
            }
        }
    }

    static let searches: [(text: String, json: JSONValue)] = [
        ("age > 30", ["age": ["$gt": 30]]), ("name = Mei", ["name": "Mei"]),
        ("city ~ a.b", ["city": ["$regex": "a\\.b"]]), ("a != 1", ["a": ["$ne": 1]]),
        (#"{"x": 1}"#, ["x": 1]),
    ]

    @Test(arguments: searches)
    func `a search becomes a condition`(search: (text: String, json: JSONValue)) throws {
        #expect(try InstallationsPage.condition(search.text) == search.json)
    }

    @Test(arguments: [("owner", "Asia/Shanghai"), ("viewer", "Europe/Berlin")])
    func `a push's page tells how its audience divides`(role: String, zone: String) async throws {
        try await ConsoleFixture.with { fixture in
            for number in 1...12 {
                try await fixture.install(
                    number,
                    [
                        "timeZone": .string(number > 2 ? zone : "Mars/\(number)"),
                        "localeIdentifier": "de_DE",
                        "channels": number > 2 ? ["news"] : [],
                    ])
            }
            var request = PushRequest(data: ["alert": "x"])
            request.channels = ["news"]
            let push = try await fixture.store.createPush(request, app: fixture.app, now: fixture.now).push
            let browser = try await fixture.browser(try #require(ConsoleUser.Role(rawValue: role)))
            let page = try await browser.get("/console/apps/news/pushes/\(push.objectID)").text
            #expect(page.contains("/pushes/\(push.objectID)/audience"))
            let part = try await browser.get("/console/apps/news/pushes/\(push.objectID)/audience").text
            #expect(part.contains(zone) && part.contains("de_DE") && !part.contains("Mars"))
            #expect(part.contains("100%"))
            // A list of tokens is no audience, and what nobody has is nowhere.
            var tokens = PushRequest(data: ["alert": "x"])
            tokens.deviceTokens = [String(repeating: "a", count: 64)]
            let named = try await fixture.store.createPush(tokens, app: fixture.app, now: fixture.now).push
            #expect(
                try await !browser.get("/console/apps/news/pushes/\(named.objectID)").text.contains(
                    "/audience"))
            for id in [named.objectID, "none"] {
                #expect(try await browser.get("/console/apps/news/pushes/\(id)/audience").status == 404)
            }
        }
    }

    @Test(arguments: [("en", "removed since", "Production"), ("zh-CN", "之后已删除", "生产")])
    func `a push that was sent tells what became of its devices by language and zone`(
        language: String, removed: String, production: String
    ) async throws {
        try await ConsoleFixture.with { fixture in
            var ids: [String] = []
            for number in 1...5 {
                ids.append(
                    try await fixture.install(
                        number,
                        [
                            "timeZone": .string(number > 2 ? "Asia/Tokyo" : "Europe/Berlin"),
                            "localeIdentifier": "ja_JP", "environment": "production",
                        ]))
            }
            let store = fixture.store
            let push = try await store.createPush(
                PushRequest(data: ["alert": "x"]), app: fixture.app, now: fixture.now
            ).push
            _ = try await store.advance(now: fixture.now)
            while try await store.planChunk(now: fixture.now) {}
            let batch = try #require(
                try await store.claimBatch(
                    owner: "sender", leaseUntil: fixture.now.advanced(bySeconds: 60), held: [],
                    now: fixture.now))
            _ = try await store.store(
                BatchReport(
                    outcomes: [
                        .accepted, DeviceOutcome(refusedFor: Reason("BadTopic")), .accepted, .accepted,
                        .accepted,
                    ], next: .finish), of: batch, now: fixture.now)
            _ = try await store.advance(now: fixture.now)
            _ = try await store.countOpen(
                record: push.recordID, installation: ids[3], app: fixture.app.number, now: fixture.now)
            _ = try await store.deleteInstallation(
                objectID: ids[4], condition: nil, app: fixture.app.number, now: fixture.now)
            let browser = try await fixture.browser(.viewer, language: language)
            let page = try await browser.get("/console/apps/news/pushes/\(push.objectID)").text
            #expect(page.contains("/pushes/\(push.objectID)/outcomes"))
            #expect(!page.contains("/pushes/\(push.objectID)/audience"))
            let part = try await browser.get("/console/apps/news/pushes/\(push.objectID)/outcomes")
            #expect(part.status == 200)
            let rows = part.text.matches(
                of: #/<th scope="row"[^>]*>([^<]*)</th>((?:<td class="number">.*?</td>){4})/#
            ).map { match in
                [String(match.1)]
                    + match.2.matches(of: #/<td class="number">([\d,]+)/#).map { String($0.1) }
            }
            for row in [
                [production, "4", "3", "1", "1"], ["ja_JP", "4", "3", "1", "1"],
                ["Asia/Tokyo", "2", "2", "0", "1"], ["Europe/Berlin", "2", "1", "1", "0"],
                [removed, "1", "1", "0", "0"],
            ] {
                #expect(rows.contains(row), "\(row) in \(rows)")
            }
        }
    }

    @Test func `why a device did not get a push is said in the visitor's language`() async throws {
        try await ConsoleFixture.with { fixture in
            let id = try await fixture.install(1, ["valid": false, "channels": ["sports"]])
            var request = PushRequest(data: ["alert": "x"])
            request.channels = ["news"]
            request.filter = try WhereClause(["age": ["$gt": 3]])
            let push = try await fixture.store.createPush(request, app: fixture.app, now: fixture.now).push
            let path = "/console/apps/news/explain?push=\(push.objectID)&installation=\(id)"
            let english = try await fixture.browser(.viewer).get(path).text
            #expect(english.contains("channels: it is in none of news"))
            #expect(english.contains("age: $gt 3 does not hold, found nothing"))
            #expect(english.contains("valid is false"))
            let chinese = try await fixture.browser(.viewer, language: "zh-CN").get(path).text
            #expect(chinese.contains("未订阅以下任何频道：news"))
            #expect(chinese.contains("age：不满足 $gt 3，没有该字段"))
            #expect(chinese.contains("设备已退订"))
            #expect(!chinese.contains("does not hold") && !chinese.contains("the device"))
        }
    }

    // MARK: - Live

    @Test func `a watched push is looked at once for all who look`() async throws {
        try await ConsoleFixture.with { fixture in
            try await fixture.install(1)
            let push = try await fixture.store.createPush(
                PushRequest(data: ["alert": "x"]), app: fixture.app, now: fixture.now
            ).push
            let watch = PushWatch(store: fixture.store)
            let app = fixture.app.number
            var streams: [EventStream] = []
            for language in [Language.english, .chinese] {
                streams.append(try await watch.open(push.objectID, app: app, language: language))
            }
            // Whoever comes later is told what the others were: with the store closed it cannot be read again.
            let closed = fixture.store
            await closed.close()
            for index in 2..<500 {
                let language: Language = index.isMultiple(of: 2) ? .english : .chinese
                streams.append(try await watch.open(push.objectID, app: app, language: language))
            }
            #expect(watch.streamCount == 500)
            await #expect(throws: (any Error).self) {
                _ = try await watch.open("another", app: app, language: .english)
            }
            // What cannot be read changes nothing.
            await watch.refresh()
            // Five hundred and no more than the limit; those who leave make room.
            for _ in 500..<PushWatch.streamCountMax {
                _ = try await watch.open(push.objectID, app: app, language: .english)
            }
            await #expect(throws: ConsoleRefusal.self) {
                _ = try await watch.open(push.objectID, app: app, language: .english)
            }
            for stream in streams { stream.close() }
            #expect(watch.streamCount == PushWatch.streamCountMax - 500)
        }
    }

    @Test func `a push that nobody has is not watched`() async throws {
        try await ConsoleFixture.with { fixture in
            let browser = try await fixture.browser(.viewer)
            #expect(try await browser.get("/console/apps/news/pushes/none/stream").status == 404)
            #expect(fixture.streamCount == 0)
        }
    }

    @Test func `who comes to a push that changed is told how it is now`() async throws {
        try await ConsoleFixture.with { fixture in
            let push = try await fixture.store.createPush(
                PushRequest(data: ["alert": "x"]), app: fixture.app, now: fixture.now
            ).push
            let watch = PushWatch(store: fixture.store)
            let app = fixture.app.number
            let first = try await watch.open(push.objectID, app: app, language: .english)
            #expect(watch.shownHTML(push.objectID, app: app, .english)?.contains("Scheduled") == true)
            _ = try await fixture.store.setState(
                .cancelled, push: push.objectID, app: app, now: fixture.now)
            await watch.refresh()
            #expect(watch.shownHTML(push.objectID, app: app, .english)?.contains("Cancelled") == true)
            // When the last one leaves, nothing old waits for the next.
            first.close()
            #expect(watch.shownHTML(push.objectID, app: app, .english) == nil)
        }
    }

    @Test(.timeLimit(.minutes(5)))
    func `a browser on a real connection is told of a change`() async throws {
        try await ConsoleFixture.with { fixture in
            try await fixture.install(1)
            let push = try await fixture.store.createPush(
                PushRequest(data: ["alert": "x"]), app: fixture.app, now: fixture.now
            ).push
            let console = fixture.console
            let server = HTTPServer { await console.respond(to: $0) }
            try server.start()
            let browser = try await fixture.browser(.viewer)
            let cookie = try #require(browser.cookie(SessionSecret.cookieName))
            let client = HTTPClient()
            func get(_ path: String) async throws -> HTTPClientResponse {
                try await client.send(
                    HTTPClientRequest(
                        url: "http://127.0.0.1:\(server.port)/console/\(path)",
                        headers: [
                            HTTPHeaders.Field(name: "Cookie", value: "\(SessionSecret.cookieName)=\(cookie)")
                        ]))
            }
            #expect(try await get("apps/news/pushes").status == 200)
            // The stream ends when the console ends, and then holds all that was told.
            async let stream = get("apps/news/pushes/\(push.objectID)/stream")
            let running = Task { await console.run() }
            while fixture.streamCount == 0 { await Task.yield() }
            _ = try await fixture.store.setState(
                .cancelled, push: push.objectID, app: fixture.app.number, now: fixture.now)
            await fixture.refresh()
            running.cancel()
            await running.value
            let answer = try await stream
            let text = String(decoding: answer.body, as: UTF8.self)
            #expect(answer.headers.first(named: "content-type") == "text/event-stream")
            #expect(text.contains("event: live"))
            #expect(text.contains("Scheduled") && text.contains("Cancelled"))
            await server.stop(deadline: .zero)
        }
    }
}

extension String {
    /// How often a text stands in this one.
    fileprivate func components(of part: String) -> Int { ranges(of: part).count }
}
