#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

/// Reads a file that was named on the command line.
enum InputFile {
    /// No file that a verb reads whole is near this size.
    static let byteCountMax = 16 << 20

    /// The bytes of a file; `-` is standard input.
    ///
    /// - Throws: unavailable, with the system's reason; usage, when the file is larger than `byteCountMax`.
    static func read(_ path: String, byteCountMax: Int = byteCountMax) throws(CommandError) -> [UInt8] {
        let descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .unavailable("\(path): \(lastError())") }
        defer { if path != "-" { close(descriptor) } }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = chunk.withUnsafeMutableBytes { systemRead(descriptor, $0) }
            if count == 0 { return bytes }
            guard count > 0 else { throw .unavailable("\(path): \(lastError())") }
            bytes += chunk[..<count]
            guard bytes.count <= byteCountMax else {
                throw .usage("\(path): larger than \(byteCountMax) bytes")
            }
        }
    }

    @inline(never)
    private static func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
        while true {
            #if canImport(Glibc)
            let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            #else
            let count = Darwin.read(descriptor, buffer.baseAddress, buffer.count)
            #endif
            if count >= 0 || errno != EINTR { return count }
        }
    }

    @inline(never)
    private static func lastError() -> String { String(cString: strerror(errno)) }
}
