/// Why a command stopped, in words for the person who typed it, and the exit code that says so to a script.
struct CommandError: Error, Sendable, Hashable {
    /// The exit code: usage, failed or unavailable.
    var status: CommandStatus
    /// Names the option or file, what was found and what is allowed.
    var message: String

    static func usage(_ message: String) -> CommandError { CommandError(status: .usage, message: message) }
    static func failed(_ message: String) -> CommandError { CommandError(status: .failed, message: message) }
    static func unavailable(_ message: String) -> CommandError {
        CommandError(status: .unavailable, message: message)
    }
}
