/// What came of a push that the app worked on in the background.
public enum FetchOutcome: String, Sendable, Hashable, CaseIterable {
    /// There was something new.
    case newData
    /// There was nothing new.
    case noData
    /// It did not work.
    case failed
}
