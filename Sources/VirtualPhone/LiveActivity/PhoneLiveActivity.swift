public import APNs

/// A Live Activity as the user sees it on the lock screen.
public struct PhoneLiveActivity: Hashable, Sendable, Codable {
    /// Where it is in its life (ActivityKit: `ActivityState`).
    public enum State: String, CaseIterable, Hashable, Sendable, Codable {
        /// It is updated, and what it shows is fresh.
        case active
        /// Its stale date has passed; it can still be updated.
        case stale
        /// It is over, and stays on the lock screen for a while.
        case ended
    }

    /// Counts the activities of a phone, from 1.
    public var id: Int
    /// The app's bundle identifier.
    public var app: String
    /// What the app knows it by.
    public var identifier: String
    /// The name of the app's type of attributes.
    public var attributesType: String
    /// What never changes about it, a JSON object.
    public var attributes: JSONValue
    /// What it shows now, a JSON object.
    public var contentState: JSONValue
    /// Where it is in its life.
    public var state: State
    /// Its place among others: the highest one has the Dynamic Island.
    public var relevanceScore: Double
    /// When it began, in milliseconds since 1970.
    public var startedMilliseconds: Int64
    /// When what it shows was made, in seconds since 1970: a push with an older timestamp changes nothing.
    public var timestamp: Int64
    /// When what it shows becomes stale, in milliseconds since 1970; nil for never.
    public var staleMilliseconds: Int64?
    /// When it leaves the lock screen, in milliseconds since 1970; nil before it has ended.
    public var dismissalMilliseconds: Int64?
}
