internal import FoundationEssentials

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

/// Where a command prints: results on standard output, everything else on standard error.
struct Console: Sendable {
    /// Takes bytes of standard output.
    var writeOutput: @Sendable (String) -> Void
    /// Takes bytes of standard error.
    var writeError: @Sendable (String) -> Void
    /// Whether a person watches standard error: a progress bar makes sense.
    var isErrorTerminal = false

    /// The process's own streams.
    static let standard = Console(
        writeOutput: { Self.write($0, to: STDOUT_FILENO) },
        writeError: { Self.write($0, to: STDERR_FILENO) },
        isErrorTerminal: isatty(STDERR_FILENO) == 1)

    func print(_ line: String) { writeOutput(line + "\n") }

    func printError(_ line: String) { writeError(line + "\n") }

    /// Prints a value as one line of JSON, keys sorted.
    func printJSON(_ value: some Encodable & Sendable) throws(CommandError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(value) else {
            throw .failed("cannot write the result as JSON")
        }
        print(String(decoding: data, as: UTF8.self))
    }

    /// Writes without a buffer, so that a line is there when the reader of a pipe waits for it.
    ///
    /// A reader that went away is no error: the command still ends with its own exit code.
    private static func write(_ text: String, to descriptor: Int32) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { systemWrite(descriptor, $0) }
            guard count > 0 else { return }
            bytes = bytes.dropFirst(count)
        }
    }

    @inline(never)
    private static func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
        while true {
            #if canImport(Glibc)
            let count = Glibc.write(descriptor, bytes.baseAddress, bytes.count)
            #else
            let count = Darwin.write(descriptor, bytes.baseAddress, bytes.count)
            #endif
            if count >= 0 || errno != EINTR { return count }
        }
    }
}
