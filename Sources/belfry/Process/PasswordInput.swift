#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

/// Reads a password that does not stand on the command line, where other users would see it.
enum PasswordInput {
    /// The first line of a file; `-` is standard input, where a terminal asks and shows nothing of what is typed.
    static func read(_ path: String, console: Console) throws(CommandError) -> String {
        let isTyped = path == "-" && isatty(STDIN_FILENO) == 1
        var line: String?
        if isTyped {
            console.printError("password:")
            line = withoutEcho { readLine(strippingNewline: true) }
        } else {
            let bytes = try InputFile.read(path, byteCountMax: 4096)
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw .usage("\(path): the password has to be UTF-8")
            }
            line = text.split(separator: "\n", omittingEmptySubsequences: false).first.map(String.init)
        }
        guard let line, !line.isEmpty else { throw .usage("the password is empty") }
        return line.hasSuffix("\r") ? String(line.dropLast()) : line
    }

    private static func withoutEcho<Result>(_ body: () -> Result) -> Result {
        var before = termios()
        guard tcgetattr(STDIN_FILENO, &before) == 0 else { return body() }
        var quiet = before
        quiet.c_lflag &= ~tcflag_t(ECHO)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &quiet)
        defer { tcsetattr(STDIN_FILENO, TCSAFLUSH, &before) }
        return body()
    }
}
