public import BelfryKit
internal import Foundation
public import Recurrence

/// The model of the settings screen: from when to when, how often, on which days.
@MainActor public final class WashHandsScreen {
    /// What the app calls its one reminder.
    public nonisolated static let key = "wash-hands"
    private nonisolated static let settingsKey = "wash-hands.settings"

    /// What is in force.
    public private(set) var settings: WashHandsSettings
    /// What is wrong with the user's last choice; nil when it is in force.
    public private(set) var problem: String?
    /// What the user should know besides, such as that notifications are off; nil for nothing.
    public private(set) var notice: String?
    /// The next reminders, for a list below the switches.
    public private(set) var upcoming: [CivilDateTime] = []
    /// The first reminder that will not come unless the app is opened before; nil when all will come.
    public private(set) var opensNeededBefore: Instant?

    private let belfry: Belfry
    private let reminders: Reminders
    private let storage: any KeyValueStorage

    /// Makes the screen with what was chosen before.
    public init(belfry: Belfry, reminders: Reminders, storage: any KeyValueStorage) {
        self.belfry = belfry
        self.reminders = reminders
        self.storage = storage
        settings =
            storage.data(forKey: Self.settingsKey)
            .flatMap { try? JSONDecoder().decode(WashHandsSettings.self, from: $0) } ?? WashHandsSettings()
    }

    /// The user chose something: it is put in force and kept, or refused with a reason.
    public func choose(_ new: WashHandsSettings) async {
        do {
            if new.isOn, try await belfry.permission.request(pauseSeconds: nil) == .denied {
                // The reminders are kept all the same: they come as soon as the user allows it.
                notice = "Notifications are off for this app in Settings."
            } else {
                notice = nil
            }
            let report =
                if new.isOn {
                    try await reminders.set(
                        Self.key, new.schedule(),
                        ReminderContent(title: "Wash your hands", body: "Twenty seconds, with soap."))
                } else {
                    try await reminders.cancel(Self.key)
                }
            try storage.setData(JSONEncoder().encode(new), forKey: Self.settingsKey)
            settings = new
            problem = nil
            opensNeededBefore = report.firstMissing
        } catch let error as BelfryKitError {
            problem = error.message
        } catch {
            problem = "\(error)"
        }
        await show()
    }

    /// Reads what is to come; for when the screen appears.
    public func show() async {
        upcoming = (try? await reminders.preview(Self.key, 5))?.map(\.local) ?? []
    }
}
