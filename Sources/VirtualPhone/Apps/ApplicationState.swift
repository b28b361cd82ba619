/// What an app knows about where it is (`UIApplication.State`, with its raw values).
public enum ApplicationState: Int, CaseIterable, Hashable, Sendable {
    /// In front, and the user's touches reach it.
    case active
    /// In front, but something is over it, or it is on its way.
    case inactive
    /// Not in front.
    case background

    /// The word of a journal.
    public var name: String {
        switch self {
        case .active: "active"
        case .inactive: "inactive"
        case .background: "background"
        }
    }
}
