import APNs
import PushService
import PushStore
import Recurrence
import Testing

@testable import PushConsole

/// What pages show where there is nothing to show yet, and in whose words.
struct LayoutTests {
    @Test func `a push that is not due shows dashes and not that it reached nobody`() async throws {
        try await ConsoleFixture.with { fixture in
            try await fixture.install(1)
            _ = try await fixture.console.console.api.perform(
                "POST", "/1.1/push",
                body: [
                    "data": ["alert": "later"],
                    "push_time": .string(fixture.now.advanced(bySeconds: 86_400).iso8601),
                ], app: fixture.app, actor: "test")
            let browser = try await fixture.browser(.viewer)
            let page = try await browser.get("/console/apps/news/pushes")
            let cells = page.text.matches(of: #/<td class="number">([^<]*)</#).map { String($0.1) }
            #expect(cells == ["–", "–", "–"])
        }
    }

    @Test func `a schedule in one zone lists its times side by side`() async throws {
        try await ConsoleFixture.with { fixture in
            for zone in ["Asia/Shanghai", "device"] {
                _ = try await fixture.console.console.api.perform(
                    "POST", "/1.1/push",
                    body: [
                        "data": ["alert": "daily"],
                        "schedule": ["rrule": "FREQ=DAILY;BYHOUR=9;BYMINUTE=0", "timezone": .string(zone)],
                    ], app: fixture.app, actor: "test")
            }
            let page = try await fixture.browser(.viewer).get("/console/apps/news/schedules")
            #expect(page.text.matches(of: #/<ul class="times-list"/#).count == 1)
            #expect(page.text.matches(of: #/<table class="times"/#).count == 1)
        }
    }

    @Test func `a time that daylight saving skips is explained in Chinese`() async throws {
        try await ConsoleFixture.with { fixture in
            // The clocks of New York go from 02:00 to 03:00 on 14 March 2027.
            let browser = try await fixture.browser(.sender, language: "zh-CN")
            let answer = try await browser.post(
                "/console/apps/news/compose/check",
                [
                    ("body", "x"), ("when", "recurring"), ("frequency", "custom"),
                    ("rule", "FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=14;BYHOUR=2;BYMINUTE=30"),
                    ("schedule-zone", "America/New_York"),
                ])
            #expect(answer.text.contains("这一天没有 02:30，将在 03:30 触发。"))
        }
    }

    @Test func `the good answer of a check does not read like a refusal`() async throws {
        try await ConsoleFixture.with { fixture in
            let key = PushCredential(
                secret: .key(p8: "-----BEGIN PRIVATE KEY-----", keyID: "ABCDE12345", teamID: "TEAM123456"),
                environments: [.production, .sandbox], teamID: "TEAM123456", createdAt: fixture.now)
            let number = try await fixture.store.addCredential(key, app: fixture.app.number)
            try await fixture.store.storeCheck(
                PushCredential.Check(
                    atMilliseconds: fixture.now.millisecondsSince1970, isGood: true,
                    message: "production: BadDeviceToken, sandbox: BadDeviceToken"), credential: number)
            let page = try await fixture.browser(.viewer, language: "zh-CN").get(
                "/console/apps/news/credentials")
            #expect(page.text.contains("生产：BadDeviceToken、沙盒：BadDeviceToken。检查使用虚构的设备令牌"))
        }
    }

    static let decisions = [
        ("refused: test token", "拒绝：测试令牌"), ("delivered", "已送达"), ("stored: device offline", "已暂存：设备离线"),
        ("refused: no device has this token", "拒绝：没有设备使用此令牌"),
    ]

    @Test(arguments: decisions)
    func `what the gateway decided is said in Chinese`(decision: (english: String, chinese: String)) {
        #expect(DecisionText.text(decision.english, in: .chinese) == decision.chinese)
        #expect(DecisionText.text(decision.english, in: .english) == decision.english)
    }

    @Test func `who did something is said in Chinese`() async throws {
        try await ConsoleFixture.with { fixture in
            for actor in ["console: mei", "command line", "master key"] {
                try await fixture.store.recordAudit(
                    AuditEntry(at: fixture.now, app: nil, actor: actor, action: "a", detail: "b"))
            }
            let page = try await fixture.browser(.viewer, language: "zh-CN").get("/console/audit")
            for text in ["控制台：mei", "命令行", "Master Key"] { #expect(page.text.contains(text)) }
        }
    }
}
