/// What a command's exit code says.
struct CommandStatus: Hashable, Sendable {
    var code: Int32

    /// The command did what was asked.
    static let done = CommandStatus(code: 0)
    /// The command ran and the answer is no: a push was refused, a payload has errors.
    static let failed = CommandStatus(code: 1)
    /// The command line was wrong; nothing was done.
    static let usage = CommandStatus(code: 2)
    /// Something outside was not there: a port is taken, a server does not answer (`EX_UNAVAILABLE`).
    static let unavailable = CommandStatus(code: 69)
}
