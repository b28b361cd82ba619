import PushStore
import Testing

@testable import PushConsole

struct AppSettingsTests {
    private static let form = [
        ("app-name", "News"), ("topic", "com.example.news"), ("record-days", "7"),
        ("audit-days", "400"), ("installation-days", "90"),
        ("default-language", ""),
    ]

    private func save(
        _ fixture: ConsoleFixture, _ role: ConsoleUser.Role, _ fields: [(String, String)]
    ) async throws -> Browser.Answer {
        try await fixture.browser(role).post("/console/apps/news/settings", Self.form + fields)
    }

    @Test func `quiet hours and frequency cap are set, shown, noted and taken away`() async throws {
        try await ConsoleFixture.with { fixture in
            let fields = [
                ("quiet-from", "22:00"), ("quiet-to", "07:30"), ("cap-count", "3"), ("cap-span", "2"),
                ("cap-unit", "hours"),
            ]
            #expect(try await save(fixture, .owner, fields).status == 303)
            var settings = try await fixture.settings
            #expect(settings.quietHours == .init(startMinute: 1320, endMinute: 450))
            #expect(settings.frequencyCap == .init(countMax: 3, seconds: 7200))
            let page = try await fixture.browser(.owner).get("/console/apps/news/credentials").text
            #expect(page.contains("value=\"22:00\"") && page.contains("value=\"07:30\""))
            let seen = try await fixture.browser(.viewer).get("/console/apps/news/credentials").text
            #expect(seen.contains("22:00–07:30") && seen.contains("at most 3 in 2 hours"))
            let entry = try #require(try await fixture.store.auditLog(app: nil, limit: 1).first)
            #expect(entry.action == "app.update" && entry.actor == "console: owner")
            #expect(entry.detail.contains("quiet-hours off → 22:00-07:30"))
            #expect(entry.detail.contains("frequency-cap off → 3/2h"))
            // Empty fields mean none.
            #expect(
                try await save(fixture, .owner, [("quiet-from", ""), ("quiet-to", ""), ("cap-count", "")])
                    .status == 303)
            settings = try await fixture.settings
            #expect(settings.quietHours == nil && settings.frequencyCap == nil)
            #expect(try await fixture.store.auditLog(app: nil, limit: 10).count == 2)
            // What changes nothing is not noted.
            #expect(try await save(fixture, .owner, [("cap-count", "")]).status == 303)
            #expect(try await fixture.store.auditLog(app: nil, limit: 10).count == 2)
        }
    }

    @Test(arguments: [
        [("quiet-from", "22:00"), ("quiet-to", "")], [("quiet-from", "22:00"), ("quiet-to", "22:00")],
        [("quiet-from", "24:00"), ("quiet-to", "07:00")], [("quiet-from", "ten"), ("quiet-to", "07:00")],
        [("quiet-from", "22:60"), ("quiet-to", "07:00")], [("quiet-from", "-1:00"), ("quiet-to", "07:00")],
        [("cap-count", "0"), ("cap-span", "1"), ("cap-unit", "days")],
        [("cap-count", "3"), ("cap-span", "0"), ("cap-unit", "days")],
        [("cap-count", "3"), ("cap-span", "1"), ("cap-unit", "years")],
        [("cap-count", "3"), ("cap-span", "32"), ("cap-unit", "days")],
        [("cap-count", "3"), ("cap-span", "9999999999999999999"), ("cap-unit", "days")],
        [("cap-count", "many"), ("cap-span", "1"), ("cap-unit", "days")],
    ])
    func `what makes no sense is refused, and stays in the form`(fields: [(String, String)]) async throws {
        try await ConsoleFixture.with { fixture in
            let answer = try await save(fixture, .owner, fields)
            #expect(answer.status == 400)
            #expect(answer.text.contains("notice bad"))
            #expect(answer.text.contains("value=\"\(fields[0].1)\""))
            let settings = try await fixture.settings
            #expect(settings.quietHours == nil && settings.frequencyCap == nil)
            #expect(try await fixture.store.auditLog(app: nil, limit: 10).isEmpty)
        }
    }

    @Test(arguments: [ConsoleUser.Role.viewer, .sender])
    func `only owners change settings`(role: ConsoleUser.Role) async throws {
        try await ConsoleFixture.with { fixture async throws in
            #expect(
                try await save(fixture, role, [("quiet-from", "22:00"), ("quiet-to", "07:00")]).status == 403)
            #expect(try await fixture.settings.quietHours == nil)
        }
    }

    @Test(arguments: [
        (86_400, AppSettingsForm.Unit.days), (172_800, .days), (3600, .hours), (90_000, .hours),
        (60, .minutes),
        (5400, .minutes),
    ])
    func `a span is told in the longest unit that divides it`(seconds: Int, unit: AppSettingsForm.Unit) {
        #expect(AppSettingsForm.Unit(of: seconds) == unit)
    }
}

extension ConsoleFixture {
    /// The app's settings as they are stored now.
    fileprivate var settings: AppSettings {
        get async throws { try #require(try await store.apps().first).settings }
    }
}
