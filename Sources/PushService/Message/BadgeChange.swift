/// What a message does to the number on the app's icon.
public enum BadgeChange: Sendable, Hashable {
    /// Nothing.
    case none
    /// Shows this number; 0 removes it.
    case set(Int64)
    /// Raises each installation's own number by this, and shows the result.
    case raise(by: Int64)
}
