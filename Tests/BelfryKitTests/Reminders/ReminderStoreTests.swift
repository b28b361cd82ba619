import Foundation
import Recurrence
import ReminderGenerator
import Testing

@testable import BelfryKit
@testable import UserNotifications

struct ReminderStoreTests {
    /// A storage that cannot be written while it is full.
    private final class FullStorage: KeyValueStorage {
        struct IsFull: Error {}

        let values = MemoryStorage()
        let full = MemoryStorage()

        func data(forKey key: String) -> Data? { values.data(forKey: key) }

        func setData(_ data: Data?, forKey key: String) throws {
            if full.data(forKey: "full") != nil { throw IsFull() }
            values.setData(data, forKey: key)
        }
    }

    @Test(arguments: 1...20)
    func `a reminder is read as it was kept`(_ seed: Int) throws {
        var generator = ScheduleGenerator(random: SeededGenerator(seed: UInt64(seed)), isPlain: false)
        let zone = try Zone("America/St_Johns")
        let now = try #require(Instant(iso8601: "2026-03-01T12:00:00Z"))
        for number in 0..<100 {
            var content = ReminderContent(
                title: "T\(number)", body: "\"ü\"\n\\/\u{0}\u{1f}\u{7f}\u{2028}👩‍👧", badge: number)
            if number % 2 == 0 { content.sound = .named("bell.caf") }
            if number % 3 == 0 { content.sound = nil }
            content.subtitle = "S"
            content.userInfo = [
                "text": "a", "number": 1, "half": 0.5, "yes": true, "list": [1, "b", false],
                "all": ["x": ["y": 0]], "\"\t": "", "small": 1e-300, "large": .integer(.min), "none": [],
            ]
            content.interruption = generator.random.one(of: ReminderInterruption.allCases)
            content.relevanceScore = 0.25
            content.attachments = [URL(fileURLWithPath: "/tmp/a b.png")]
            content.targetContentIdentifier = "target"
            var reminder = Reminder("k\(number)", try generator.schedule(now: now, zone: zone), content)
            guard let resolved = try? reminder.schedule.resolved(at: now, in: zone) else { continue }
            reminder.schedule = resolved
            reminder.snoozes = [now, now.advanced(bySeconds: 5)]
            if number % 5 == 0 { reminder.endedSince = now }
            let data = Data(StoredReminder(reminder).json)
            let read = try JSONDecoder().decode(StoredReminder.self, from: data).reminder
            #expect(read == reminder)
            #expect(read?.content.mark == content.mark)
        }
    }

    @Test func `what cannot be kept changes nothing`() async throws {
        let device = try await ReminderDevice()
        let storage = FullStorage()
        let reminders = Reminders(
            center: device.center, storage: storage, time: ReminderDevice.Time(host: device.host))
        try await reminders.set("a", .daily(at: "09:00"), note)
        storage.full.setData(Data(), forKey: "full")
        let error = await #expect(throws: BelfryKitError.self) {
            try await reminders.set("b", .daily(at: "09:00"), note)
        }
        #expect(error?.code == .storage)
        await #expect(throws: BelfryKitError.self) { try await reminders.cancel("a") }
        await #expect(throws: BelfryKitError.self) { try await reminders.skipNext("a") }
        #expect(await reminders.list().map(\.key) == ["a"])
        #expect(try await reminders.preview("a", 1).first?.civil == civil("2026-01-05T09:00"))
        #expect(await device.pendingIdentifiers() == ["belfry.a#each-0900"])
        // What the planner remembers cannot be kept either, and is reported.
        #expect(await reminders.replan().problems.isEmpty)
    }

    @Test(arguments: [
        "", "{", "null", "{}", "[1]", "[{}]", "[{\"key\":\"k\",\"rule\":\"FREQ=NEVER\"}]", "\u{0}",
    ])
    func `bytes that are no reminders are moved aside`(_ text: String) async throws {
        let device = try await ReminderDevice()
        device.storage.setData(Data(text.utf8), forKey: "belfry.reminders")
        device.storage.setData(Data(text.utf8), forKey: "belfry.reminders.plan")
        let report = await device.reminders.replan()
        #expect(report.problems.count == 1 && report.entries.isEmpty)
        #expect(device.storage.data(forKey: "belfry.reminders.unreadable") == Data(text.utf8))
        #expect(await device.reminders.replan().problems.isEmpty)
        try await device.reminders.set("a", .daily(at: "09:00"), note)
        #expect(await device.relaunched().list().map(\.key) == ["a"])
    }

    @Test func `one reminder that cannot be read takes no other with it`() async throws {
        let device = try await ReminderDevice()
        let text = """
            [{"key":"a","rule":"FREQ=DAILY;BYHOUR=9;BYMINUTE=0","anchor":"2026-01-01","title":"A"},{"key":"b","rule":"?"},7]
            """
        device.storage.setData(Data(text.utf8), forKey: "belfry.reminders")
        let report = await device.reminders.replan()
        #expect(report.entries.map(\.key) == ["a"])
        #expect(report.problems.first?.contains("2 of 3") == true)
    }

    @Test func `reminders that ended are forgotten after a week`() async throws {
        let device = try await ReminderDevice()
        try await device.reminders.set("once", in: 60, note)
        await device.advance(hours: 1)
        #expect(await device.reminders.replan().ended == ["once"])
        await device.advance(days: 6)
        await device.reminders.replan()
        #expect(await device.reminders.reminder("once") != nil)
        await device.advance(days: 2)
        await device.reminders.replan()
        #expect(await device.relaunched().list().isEmpty)
    }

    @Test func `many tasks at once end in one state`() async throws {
        let device = try await ReminderDevice()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<40 {
                group.addTask {
                    try await device.reminders.set(
                        "r\(number)", .daily(at: .init(hour: number % 24, minute: 0)), note)
                    if number % 4 == 0 { try await device.reminders.cancel("r\(number)") }
                }
            }
            try await group.waitForAll()
        }
        let keys = (0..<40).filter { $0 % 4 != 0 }.map { "r\($0)" }.sorted()
        #expect(await device.reminders.list().map(\.key) == keys)
        #expect(await device.pendingIdentifiers().count == 30)
        let report = await device.reminders.replan()
        #expect(report.entries.count == 30 && report.addedCount == 0 && report.removedCount == 0)
    }

    @Test func `keys and contents that cannot be are refused`() async throws {
        let device = try await ReminderDevice()
        let schedule = try ReminderSchedule.daily(at: "09:00")
        for key in ["", String(repeating: "k", count: 201)] {
            let error = await #expect(throws: BelfryKitError.self) {
                try await device.reminders.set(key, schedule, note)
            }
            #expect(error?.code == .invalidKey)
        }
        var contents = [ReminderContent(title: "", sound: nil), ReminderContent(title: "T", badge: -1)]
        contents.append(ReminderContent(title: "T", userInfo: ["belfry": "mine"]))
        contents.append(ReminderContent(title: "T", userInfo: ["a": .array([.number(.infinity)])]))
        contents.append(ReminderContent(title: "T", userInfo: ["a": ["b": nil]]))
        var remote = note
        remote.attachments = [try #require(URL(string: "https://example.com/a.png"))]
        contents.append(remote)
        for content in contents {
            let error = await #expect(throws: BelfryKitError.self) {
                try await device.reminders.set("k", schedule, content)
            }
            #expect(error?.code == .invalidContent)
        }
        for key in ["x", ""] {
            await #expect(throws: BelfryKitError.self) { try await device.reminders.snooze(key, for: 60) }
            await #expect(throws: BelfryKitError.self) { try await device.reminders.skipNext(key) }
            await #expect(throws: BelfryKitError.self) { try await device.reminders.preview(key) }
            await #expect(throws: BelfryKitError.self) { try await device.reminders.update(key) { _ in } }
            try await device.reminders.cancel(key)
        }
        // Of several, one that is wrong keeps all others out.
        await #expect(throws: BelfryKitError.self) {
            try await device.reminders.set([Reminder("good", schedule, note), Reminder("", schedule, note)])
        }
        #expect(await device.reminders.list().isEmpty)
        #expect(await device.pendingIdentifiers().isEmpty)
    }
}
