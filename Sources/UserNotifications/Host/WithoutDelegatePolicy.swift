/// What an app in the foreground without a delegate shows.
public enum WithoutDelegatePolicy: String, CaseIterable, Hashable, Sendable {
    /// The default: what it would show in the background, as Apple's pages say.
    case shows
    /// Nothing, as field reports say.
    case hides
}
