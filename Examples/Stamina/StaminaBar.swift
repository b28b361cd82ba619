public import BelfryKit
internal import Foundation
internal import Recurrence

/// A game's energy: spent by playing, back by itself, and worth a word when it is full.
@MainActor public final class StaminaBar {
    /// The most there can be.
    public nonisolated static let pointsMax = 120
    /// How long one point takes to come back, in seconds.
    public nonisolated static let secondsPerPoint: Int64 = 360
    /// What the app calls the reminder; setting it again takes the place of the old one.
    public nonisolated static let key = "stamina.full"
    private nonisolated static let fullKey = "stamina.full-at"

    private let belfry: Belfry
    private let reminders: Reminders
    private let storage: any KeyValueStorage
    private let time: any DeviceTime
    /// When it is full: all there is to know, as points come back evenly.
    private var fullAt: Instant

    private let question: Permission.SoftQuestion

    /// Makes the bar as it was left; a new player's is full.
    ///
    /// - Parameter question: the game's own "shall we tell you?", before the system's, which comes only once.
    public init(
        belfry: Belfry, reminders: Reminders, storage: any KeyValueStorage, time: any DeviceTime,
        question: @escaping Permission.SoftQuestion
    ) {
        self.belfry = belfry
        self.question = question
        self.reminders = reminders
        self.storage = storage
        self.time = time
        let kept = storage.data(forKey: Self.fullKey).flatMap {
            try? JSONDecoder().decode(Int64.self, from: $0)
        }
        fullAt = Instant(millisecondsSince1970: kept ?? 0)
        // The player who plays sees the bar.
        belfry.onPresent { $0.reminderKey == StaminaBar.key ? .none : .full }
    }

    /// What there is now.
    public var points: Int {
        let missing = max(0, fullAt.millisecondsSince1970 - time.now.millisecondsSince1970)
        let perPoint = Self.secondsPerPoint * 1000
        return Self.pointsMax - Int((missing + perPoint - 1) / perPoint)
    }

    /// Spends energy on a level.
    ///
    /// - Returns: whether there was enough.
    public func spend(_ count: Int) async throws -> Bool {
        guard count > 0, count <= points else { return false }
        _ = try await belfry.permission.request(softQuestion: question)
        try await setFull(max(fullAt, time.now).advanced(bySeconds: Int64(count) * Self.secondsPerPoint))
        return true
    }

    /// The player bought a refill: there is nothing left to say.
    public func refill() async throws { try await setFull(time.now) }

    private func setFull(_ instant: Instant) async throws {
        try storage.setData(JSONEncoder().encode(instant.millisecondsSince1970), forKey: Self.fullKey)
        fullAt = instant
        let milliseconds = instant.millisecondsSince1970 - time.now.millisecondsSince1970
        if milliseconds > 0 {
            try await reminders.set(
                Self.key, in: Double(milliseconds) / 1000,
                ReminderContent(title: "Full of energy", body: "All \(Self.pointsMax) points are back."))
        } else {
            try await reminders.cancel(Self.key)
        }
    }
}
