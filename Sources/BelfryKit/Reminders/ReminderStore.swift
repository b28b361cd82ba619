internal import Foundation
internal import Recurrence

/// Reads and writes reminders and the planner's memory.
///
/// What cannot be read is moved aside and reported, never deleted without a word. Another process of the app may have
/// written since, so the bytes are compared each time and read only when they are others.
struct ReminderStore {
    private static let remindersKey = "belfry.reminders"
    private static let unreadableKey = "belfry.reminders.unreadable"
    private static let memoryKey = "belfry.reminders.plan"
    private static let quietHoursKey = "belfry.reminders.quiet"
    private static let separator = Array(",\n".utf8)
    private static let end = Array("]".utf8)
    /// What a reminder with a short text takes.
    private static let usualByteCount = 200

    private let storage: any KeyValueStorage
    private var bytes: Data?
    private var hasRead = false
    /// The JSON of single reminders, by key, as they were written last.
    private var fragments: [String: [UInt8]] = [:]
    /// What could not be read, in words, until it is taken.
    private var problems: [String] = []

    init(_ storage: any KeyValueStorage) {
        self.storage = storage
    }

    /// Takes what could not be read.
    mutating func takeProblems() -> [String] {
        defer { problems = [] }
        return problems
    }

    /// The reminders, if they were changed since they were read or written last.
    mutating func readIfChanged() -> [Reminder]? {
        let present = storage.data(forKey: Self.remindersKey)
        guard !hasRead || present != bytes else { return nil }
        hasRead = true
        bytes = present
        fragments = [:]
        guard let present else { return [] }
        guard let list = try? JSONDecoder().decode([Lenient].self, from: present) else {
            try? storage.setData(present, forKey: Self.unreadableKey)
            problems.append(
                "reminders: the \(present.count) bytes that were kept cannot be read; "
                    + "they are under '\(Self.unreadableKey)' now")
            return []
        }
        let reminders = list.compactMap(\.stored?.reminder)
        if reminders.count < list.count {
            try? storage.setData(present, forKey: Self.unreadableKey)
            problems.append(
                "reminders: \(list.count - reminders.count) of \(list.count) cannot be read; "
                    + "they are under '\(Self.unreadableKey)' now")
        }
        return reminders
    }

    /// Keeps reminders.
    ///
    /// - Parameters:
    ///   - reminders: all of them, in the order in which they are written.
    ///   - isChanged: for which keys the bytes of the last time are out of date; the others are not written anew.
    mutating func write(
        _ reminders: some Collection<Reminder>, changed isChanged: (String) -> Bool
    ) throws(BelfryKitError) {
        var written: [String: [UInt8]] = [:]
        written.reserveCapacity(reminders.count)
        var data = Data("[".utf8)
        data.reserveCapacity(reminders.count * Self.usualByteCount)
        for reminder in reminders {
            let known = isChanged(reminder.key) ? nil : fragments[reminder.key]
            let fragment = known ?? StoredReminder(reminder).json
            if !written.isEmpty { data.append(contentsOf: Self.separator) }
            data.append(contentsOf: fragment)
            written[reminder.key] = fragment
        }
        data.append(contentsOf: Self.end)
        do {
            try storage.setData(data, forKey: Self.remindersKey)
        } catch {
            throw BelfryKitError(.storage, "reminders: cannot be kept: \(error)")
        }
        bytes = data
        fragments = written
        hasRead = true
    }

    /// The quiet hours; nil for none, and for some that cannot be read: then nothing is held back.
    var quietHours: QuietHours? {
        storage.data(forKey: Self.quietHoursKey).flatMap {
            try? JSONDecoder().decode(QuietHours.self, from: $0)
        }
    }

    /// Keeps the quiet hours, or that there are none.
    func write(_ quietHours: QuietHours?) throws(BelfryKitError) {
        do {
            try storage.setData(
                try quietHours.map { try JSONEncoder().encode($0) }, forKey: Self.quietHoursKey)
        } catch {
            throw BelfryKitError(.storage, "quietHours: cannot be kept: \(error)")
        }
    }

    /// The planner's memory; an empty one when there is none.
    var memory: PlanMemory {
        storage.data(forKey: Self.memoryKey).flatMap { try? JSONDecoder().decode(PlanMemory.self, from: $0) }
            ?? PlanMemory()
    }

    /// Keeps the planner's memory.
    ///
    /// - Returns: what went wrong, in words.
    func write(_ memory: PlanMemory) -> String? {
        do {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys]
            let data = try encoder.encode(memory)
            if storage.data(forKey: Self.memoryKey) != data {
                try storage.setData(data, forKey: Self.memoryKey)
            }
            return nil
        } catch {
            return "reminders: the plan cannot be kept: \(error)"
        }
    }
}

/// A reminder, or something that is none.
private struct Lenient: Decodable {
    let stored: StoredReminder?

    init(from decoder: any Decoder) {
        stored = try? StoredReminder(from: decoder)
    }
}
