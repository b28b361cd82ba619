#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

/// Keeps a second service away from a data folder, for as long as the process lives, however it ends.
///
/// Two services on one SQLite file would take each other's batches for their own after a restart.
final class FolderLock: Sendable {
    private let descriptor: Int32

    /// Takes the lock; nil when another process has it.
    ///
    /// - Throws: `unavailable` when the file cannot be made.
    static func take(_ folder: String) throws(CommandError) -> FolderLock? {
        let path = folder + "/serve.lock"
        let descriptor = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw .unavailable("\(path): \(String(cString: strerror(errno)))")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            return nil
        }
        return FolderLock(descriptor)
    }

    private init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit {
        // Closing alone would leave the lock to a child process that is just being started and has its copy.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}
