public import Recurrence

/// A batch that one sender holds for as long as its lease runs.
public struct ClaimedBatch: Sendable {
    /// The batch's number.
    public var number: Int64
    /// Grows with every claim; what is stored under an older one is refused.
    public var generation: Int64
    /// The push it is a part of.
    public var push: Push
    /// The installations in ascending order; empty when device tokens were given with the push.
    public var installations: [Int64]
    /// The device tokens that were given with the push; of a broadcast, its channel alone.
    public var deviceTokens: [String]
    /// One for each installation or token; those that are not pending are not sent again.
    public var outcomes: [DeviceOutcome]
    /// The number to show on each icon, when the push raises badges; 0 where the row was gone.
    public var badges: [Int64]
    /// The digest's article for each installation, chosen at an earlier claim; -1 for none, empty before.
    public var articles: [Int]
    /// How often it was claimed before.
    public var attemptCount: Int
    /// When it might have been claimed first.
    public var readyAt: Instant
    /// When its lease runs out.
    public var leaseUntil: Instant

    /// How many devices it is about.
    public var count: Int { outcomes.count }

    package init(
        number: Int64, generation: Int64, push: Push, installations: [Int64], deviceTokens: [String],
        outcomes: [DeviceOutcome], badges: [Int64], articles: [Int], attemptCount: Int, readyAt: Instant,
        leaseUntil: Instant
    ) {
        self.number = number
        self.generation = generation
        self.push = push
        self.installations = installations
        self.deviceTokens = deviceTokens
        self.outcomes = outcomes
        self.badges = badges
        self.articles = articles
        self.attemptCount = attemptCount
        self.readyAt = readyAt
        self.leaseUntil = leaseUntil
    }
}
