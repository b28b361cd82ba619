/// What happens where Apple's framework raises an Objective-C exception, which ends the app.
public enum MisusePolicy: String, CaseIterable, Hashable, Sendable {
    /// The default: the process stops with a sentence that says what is wrong.
    case trap
    /// The host is told, and the call has no effect: for tests.
    case record
}
