public import APNs

/// How many installations a push would reach, and which.
public struct AudienceCount: Sendable, Hashable {
    /// All of them.
    public var total: Int
    /// By environment; nil for those not known yet.
    public var environments: [Environment?: Int]
    /// By language; nil for those that did not say.
    public var locales: [String?: Int]
    /// By zone; nil for those that did not say.
    public var timeZones: [String?: Int]

    /// Makes an empty count.
    public init() {
        total = 0
        environments = [:]
        locales = [:]
        timeZones = [:]
    }
}
