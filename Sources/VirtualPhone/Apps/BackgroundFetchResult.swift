/// What an app found when it was woken (`UIBackgroundFetchResult`, with its raw values).
public enum BackgroundFetchResult: UInt, CaseIterable, Hashable, Sendable {
    /// There was something new.
    case newData
    /// There was nothing new.
    case noData
    /// It could not look.
    case failed
}
