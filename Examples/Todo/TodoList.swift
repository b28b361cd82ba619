public import BelfryKit
internal import Foundation
public import UserNotifications

/// The list, which keeps one reminder for each item that is still to be done.
@MainActor public final class TodoList {
    /// The buttons on a reminder.
    public static var category: UNNotificationCategory {
        UNNotificationCategory(
            identifier: "todo",
            actions: [
                UNNotificationAction(identifier: "done", title: "Done", options: []),
                UNNotificationAction(identifier: "later", title: "In 10 Minutes", options: []),
            ], intentIdentifiers: [], options: [])
    }

    /// By when they are due.
    public private(set) var items: [TodoItem]
    /// The item on the screen, after a tap on its reminder.
    public private(set) var openItem: String?

    private static let itemsKey = "todo.items"
    private let belfry: Belfry
    private let reminders: Reminders
    private let storage: any KeyValueStorage
    private let time: any DeviceTime

    /// Makes the list with what was kept, and attaches it to the app's notifications.
    public init(
        belfry: Belfry, reminders: Reminders, storage: any KeyValueStorage, time: any DeviceTime
    ) {
        self.belfry = belfry
        self.reminders = reminders
        self.storage = storage
        self.time = time
        items =
            storage.data(forKey: Self.itemsKey)
            .flatMap { try? JSONDecoder().decode([TodoItem].self, from: $0) } ?? []
        // Fails only for actions with one name and two titles, and these have one each.
        try? belfry.categories.register([Self.category])
        belfry.onEvent { [weak self] in await self?.handle($0) }
    }

    /// Adds an item, or takes the place of one with the same id: its reminder follows.
    ///
    /// - Throws: `invalidSchedule` for a time that is none, and what keeping throws. Nothing is changed then.
    public func save(_ item: TodoItem) async throws {
        try await remind(of: item)
        items.removeAll { $0.id == item.id }
        items.append(item)
        items.sort { ($0.due, $0.id) < ($1.due, $1.id) }
        try keep()
    }

    /// Marks an item as done.
    public func complete(_ id: String) async throws {
        guard var item = items.first(where: { $0.id == id }) else { return }
        item.isDone = true
        try await save(item)
    }

    /// Deletes an item.
    public func delete(_ id: String) async throws {
        try await reminders.cancel(Self.key(id), removingDelivered: true)
        items.removeAll { $0.id == id }
        try keep()
    }

    /// What the user does with a reminder.
    private func handle(_ event: NotificationEvent) async {
        guard let key = event.notification?.reminderKey, key.hasPrefix("todo/") else { return }
        let id = String(key.dropFirst("todo/".count))
        switch event {
        case .opened: openItem = id
        // What cannot be kept now is still in the list, and the user sees that it is not done.
        case .action("done", _, _, _): try? await complete(id)
        case .action("later", _, _, _): _ = try? await reminders.snooze(key, for: 600)
        default: break
        }
    }

    private static func key(_ id: String) -> String { "todo/" + id }

    private func remind(of item: TodoItem) async throws(BelfryKitError) {
        let key = Self.key(item.id)
        guard let moment = item.reminderTime else {
            throw BelfryKitError(
                code: .invalidSchedule, message: "due: found '\(item.due)'; allowed: such as 2027-03-05T14:00"
            )
        }
        guard !item.isDone, !item.isOverdue(at: time.now, in: time.zone) else {
            try await reminders.cancel(key, removingDelivered: true)
            return
        }
        // The first item to be reminded of is the moment at which the use is plain.
        _ = try await belfry.permission.request()
        // An item that is due in five minutes is announced at once, and not never.
        try await reminders.set(
            key, .once(at: moment).ifPast(.fireNow),
            ReminderContent(
                title: item.title, body: "Due at \(item.due.suffix(5))",
                categoryIdentifier: Self.category.identifier))
    }

    private func keep() throws { try storage.setData(JSONEncoder().encode(items), forKey: Self.itemsKey) }
}
