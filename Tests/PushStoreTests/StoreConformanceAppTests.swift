import APNs
import PushStore
import Recurrence
import Testing

struct StoreConformanceAppTests {
    @Test(arguments: StoreUnderTest.allCases)
    func `an app is there with both keys once it is made`(kind: StoreUnderTest) async throws {
        try await kind.with { store in
            let before = try await store.administrationRevision()
            let app = try await store.createApp(
                id: "rrp9Iq8rkzhNaXnWbUoOXnVv-gzGzoHsz", name: "新闻 News", topic: "com.example.news",
                appKey: "UtOCzqb67d3sN12Kts4URwy8", masterKey: "DyJegPlemooo4X1tg94gQkw1", now: .test(5))
            #expect(try await store.apps() == [app])
            #expect(app.createdAt == .test(5))
            #expect(try await store.administrationRevision() > before)
            let keys = try await store.keys(app: app.number, now: .test(6))
            #expect(
                Set(keys) == [
                    AppKey(kind: .app, secret: "UtOCzqb67d3sN12Kts4URwy8", createdAt: .test(5)),
                    AppKey(kind: .master, secret: "DyJegPlemooo4X1tg94gQkw1", createdAt: .test(5)),
                ])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `an id that is taken is a conflict and changes nothing`(kind: StoreUnderTest) async throws {
        try await kind.with { store in
            let app = try await store.makeApp()
            let revision = try await store.administrationRevision()
            let error = await #expect(throws: StoreError.self) { try await store.makeApp() }
            #expect(error?.code == .conflict)
            #expect(try await store.apps() == [app])
            #expect(try await store.administrationRevision() == revision)
            #expect(try await store.keys(app: app.number, now: .test()).count == 2)
        }
    }

    static let badApps: [(id: String, name: String, topic: String, appKey: String, masterKey: String)] = [
        ("", "News", "com.example.news", "app-key-1", "master-key-1"),
        ("a b", "News", "com.example.news", "app-key-1", "master-key-1"),
        (String(repeating: "a", count: 129), "News", "com.example.news", "app-key-1", "master-key-1"),
        ("a", "", "com.example.news", "app-key-1", "master-key-1"),
        ("a", "line\nbreak", "com.example.news", "app-key-1", "master-key-1"),
        ("a", "News", "", "app-key-1", "master-key-1"),
        ("a", "News", "com example", "app-key-1", "master-key-1"),
        ("a", "News", "com.example.news", "short", "master-key-1"),
        ("a", "News", "com.example.news", "app-key-1", "master,key-1"),
        ("a", "News", "com.example.news", "app-key-ü", "master-key-1"),
        ("a", "News", "com.example.news", "the-same-key", "the-same-key"),
    ]

    @Test(arguments: StoreUnderTest.allCases, badApps)
    func `what cannot be an app is refused`(
        kind: StoreUnderTest,
        app: (id: String, name: String, topic: String, appKey: String, masterKey: String)
    ) async throws {
        try await kind.with { store in
            let error = await #expect(throws: StoreError.self) {
                try await store.createApp(
                    id: app.id, name: app.name, topic: app.topic, appKey: app.appKey,
                    masterKey: app.masterKey,
                    now: .test())
            }
            #expect(error?.code == .invalid)
            #expect(error?.message.contains(app.masterKey) == false)
            let none = try await store.apps()
            #expect(none == [])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `name, topic and settings change`(kind: StoreUnderTest) async throws {
        try await kind.with { store in
            var app = try await store.makeApp()
            app.name = "Other"
            app.topic = "com.example.other"
            app.settings.allowsClientPush = true
            app.settings.quietHours = .init(startMinute: 1320, endMinute: 420)
            app.settings.frequencyCap = .init(countMax: 3, seconds: 86_400)
            app.settings.defaultLanguage = "zh-Hans"
            try await store.updateApp(app, now: .test(1))
            #expect(try await store.apps() == [app])

            var bad = app
            bad.settings.quietHours = .init(startMinute: 1440, endMinute: 0)
            let error = await #expect(throws: StoreError.self) {
                try await store.updateApp(bad, now: .test(2))
            }
            #expect(error?.code == .invalid)
            #expect(error?.message.contains("quietHours.startMinute") == true)
            #expect(try await store.apps() == [app])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `after a rotation two keys of a kind are valid until the former ends`(
        kind: StoreUnderTest
    ) async throws {
        try await kind.with { store in
            let app = try await store.makeApp()
            try await store.rotateKey(
                app: app.number, kind: .app, secret: "second-app-key", formerValidUntil: .test(100),
                now: .test(10))
            func keys(_ seconds: Int64) async throws -> [String] {
                try await store.keys(app: app.number, now: .test(seconds)).filter { $0.kind == .app }.map(
                    \.secret)
            }
            #expect(try await keys(99) == ["second-app-key", "app-key-of-news"])
            #expect(try await keys(100) == ["second-app-key"])
            let master = try await store.keys(app: app.number, now: .test(100)).filter { $0.kind == .master }
            #expect(master.map(\.secret) == ["master-key-of-news"])

            try await store.rotateKey(
                app: app.number, kind: .app, secret: "third-app-key", formerValidUntil: .test(60),
                now: .test(50))
            #expect(try await keys(55) == ["third-app-key", "app-key-of-news", "second-app-key"])
            #expect(try await keys(101) == ["third-app-key"])
            let error = await #expect(throws: StoreError.self) {
                try await store.rotateKey(
                    app: app.number, kind: .master, secret: "third-app-key", formerValidUntil: .test(60),
                    now: .test(51))
            }
            #expect(error?.code == .conflict)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `credentials come back as they were added, and only to their app`(kind: StoreUnderTest) async throws
    {
        try await kind.with { store in
            let app = try await store.makeApp()
            let other = try await store.makeApp("other")
            var key = PushCredential(
                secret: .key(p8: "-----BEGIN PRIVATE KEY-----", keyID: "ABCDE12345", teamID: "TEAM123456"),
                environments: [.production, .sandbox], teamID: "TEAM123456", createdAt: .test(1))
            var certificate = PushCredential(
                secret: .certificate(pem: "-----BEGIN CERTIFICATE-----"), environments: [.production],
                teamID: "TEAM654321", deviceProfile: "dev_2",
                topics: ["com.example.news", "com.example.news.voip"],
                expiresAt: .test(1_000), createdAt: .test(2))
            key.number = try await store.addCredential(key, app: app.number)
            certificate.number = try await store.addCredential(certificate, app: app.number)
            #expect(try await store.credentials(app: app.number) == [key, certificate])
            let none = try await store.credentials(app: other.number)
            #expect(none == [])

            key.check = .init(atMilliseconds: 7, isGood: true, message: "BadDeviceToken")
            try await store.storeCheck(try #require(key.check), credential: key.number)
            #expect(try await store.credentials(app: app.number).first == key)

            let error = await #expect(throws: StoreError.self) {
                try await store.removeCredential(number: key.number, app: other.number)
            }
            #expect(error?.code == .notFound)
            try await store.removeCredential(number: key.number, app: app.number)
            #expect(try await store.credentials(app: app.number) == [certificate])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `what an unknown app is asked for is not found`(kind: StoreUnderTest) async throws {
        try await kind.with { store in
            let app = App(
                number: 99, id: "none", name: "None", topic: "com.example", settings: AppSettings(),
                createdAt: .test())
            let credential = PushCredential(
                secret: .certificate(pem: ""), environments: [.production], createdAt: .test())
            var codes: [StoreError.Code?] = []
            codes.append(
                await #expect(throws: StoreError.self) { try await store.updateApp(app, now: .test()) }?.code)
            codes.append(
                await #expect(throws: StoreError.self) {
                    try await store.rotateKey(
                        app: 99, kind: .app, secret: "some-new-key", formerValidUntil: .test(), now: .test())
                }?.code)
            codes.append(
                await #expect(throws: StoreError.self) { try await store.addCredential(credential, app: 99) }?
                    .code)
            codes.append(
                await #expect(throws: StoreError.self) {
                    try await store.storeCheck(
                        .init(atMilliseconds: 0, isGood: true, message: ""), credential: 9)
                }?.code)
            #expect(codes == [.notFound, .notFound, .notFound, .notFound])
            let none = try await store.keys(app: 99, now: .test())
            #expect(none == [])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `all is there again after closing and opening`(kind: StoreUnderTest) async throws {
        let folder = try TemporaryFolder()
        let secret = StoreSecret.random()
        var store = try await kind.open(folder, secret)
        let app = try await store.makeApp()
        let saved = try await store.save(
            InstallationChange(
                target: .matching, body: ["deviceToken": "ab01", "deviceType": "ios", "channels": ["a"]]),
            app: app.number, now: .test())
        let revision = try await store.administrationRevision()
        await store.close()
        store = try await kind.open(folder, secret)
        #expect(try await store.apps() == [app])
        #expect(try await store.administrationRevision() == revision)
        #expect(try await store.keys(app: app.number, now: .test()).count == 2)
        #expect(
            try await store.installation(objectID: saved.installation.objectID, app: app.number)
                == saved.installation)
        await store.close()
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `a store made with another secret does not open`(kind: StoreUnderTest) async throws {
        let folder = try TemporaryFolder()
        let first = try StoreSecret(passphrase: "correct horse battery")
        await (try await kind.open(folder, first)).close()
        await (try await kind.open(folder, first)).close()
        for secret in [try StoreSecret(passphrase: "wrong horse battery"), StoreSecret.random()] {
            let error = await #expect(throws: StoreError.self) { try await kind.open(folder, secret) }
            #expect(error?.code == .secret)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `administrative acts are recorded`(kind: StoreUnderTest) async throws {
        try await kind.with { store in
            let first = AuditEntry(
                at: .test(1), app: 1, actor: "command line", action: "app.create", detail: "news")
            let second = AuditEntry(
                at: .test(2), app: nil, actor: "command line", action: "backup", detail: "")
            try await store.recordAudit(first)
            try await store.recordAudit(second)
            #expect(try await store.auditLog(app: nil, limit: 10) == [second, first])
            #expect(try await store.auditLog(app: 1, limit: 10) == [first])
            #expect(try await store.auditLog(app: nil, limit: 1) == [second])
        }
    }

    // MARK: Provider tokens

    @Test(arguments: StoreUnderTest.allCases)
    func `a provider token is kept for its key until it has aged`(kind: StoreUnderTest) async throws {
        try await kind.with { store in
            let offers: [(text: String, second: Int64, key: UInt8, used: String)] = [
                ("first", 10_000, 1, "first"),
                ("second", 10_000, 1, "first"),
                // Another node's clock is a little behind, or ahead.
                ("third", 9_700, 1, "first"),
                ("fourth", 12_099, 1, "first"),
                ("of another key", 12_099, 2, "of another key"),
                ("fifth", 12_100, 1, "fifth"),
                ("sixth", 12_101, 1, "fifth"),
                // The clock was an hour ahead and was set right.
                ("seventh", 8_500, 1, "seventh"),
                // Of a key that was not used for a day nothing is left, and the others go on.
                ("eighth", 200_000, 2, "eighth"),
                ("ninth", 200_000, 1, "ninth"),
            ]
            for offer in offers {
                let used = try await store.shareProviderToken(
                    SharedProviderToken(issuedAt: offer.second, text: offer.text), key: [offer.key, 0, 255],
                    issuedAfter: offer.second - 2100)
                #expect(used.text == offer.used)
            }
        }
    }
}
