internal import Synchronization

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

/// Keeps a second service away from a data folder: both would take the same batches for their own.
final class FolderLock: Sendable {
    private static let fileName = "serve.lock"

    private let descriptor: Mutex<Int32>

    /// Locks a folder until the lock is released or the process ends.
    init(folder: String) throws(CommandError) {
        let file = folder + "/" + Self.fileName
        let descriptor = open(file, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw .unavailable("--data \(folder): \(file) cannot be opened: \(String(cString: strerror(errno)))")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw .unavailable("--data \(folder): another belfry serve uses this folder: stop it, or name another")
        }
        self.descriptor = Mutex(descriptor)
    }

    deinit { release() }

    /// Lets another service have the folder.
    func release() {
        descriptor.withLock { descriptor in
            if descriptor >= 0 { close(descriptor) }
            descriptor = -1
        }
    }
}
