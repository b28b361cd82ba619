internal import Crypto

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

/// A file that is read from start to end in large pieces.
final class ExportFile {
    private static let pieceByteCount = 1 << 20

    private let descriptor: Int32
    /// How many bytes the file has.
    let byteCount: Int
    /// Names the content, whatever the file is called: its size and a digest of its first piece.
    let identity: String

    /// Opens a file.
    init(path: String) throws(CommandError) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .unavailable("\(path): \(String(cString: strerror(errno)))") }
        var information = stat()
        guard fstat(descriptor, &information) == 0, information.st_mode & S_IFMT == S_IFREG else {
            throw .unavailable("\(path): it is no file")
        }
        byteCount = Int(information.st_size)
        let digest = SHA256.digest(of: try Self.read(descriptor, path: path))
        guard lseek(descriptor, 0, SEEK_SET) == 0 else {
            throw .unavailable("\(path): it cannot be read twice")
        }
        identity = "\(byteCount)-" + digest.prefix(12).map { String($0, radix: 16) }.joined(separator: ".")
    }

    deinit {
        close(descriptor)
    }

    /// How many bytes were read.
    var readByteCount: Int { max(0, Int(lseek(descriptor, 0, SEEK_CUR))) }

    /// The next bytes; none at the end.
    func next() throws(CommandError) -> [UInt8] { try Self.read(descriptor, path: "the file") }

    private static func read(_ descriptor: Int32, path: String) throws(CommandError) -> [UInt8] {
        var failure: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: pieceByteCount) { buffer, count in
            while true {
                #if canImport(Glibc)
                let result = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
                #else
                let result = Darwin.read(descriptor, buffer.baseAddress, buffer.count)
                #endif
                if result < 0, errno == EINTR { continue }
                failure = result < 0 ? errno : 0
                count = max(0, result)
                return
            }
        }
        guard failure == 0 else { throw .unavailable("\(path): \(String(cString: strerror(failure)))") }
        return bytes
    }
}
