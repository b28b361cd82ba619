internal import FoundationEssentials
internal import Synchronization

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

/// The folder a gateway keeps its files in, held by one process at a time.
///
/// Files are replaced whole: written beside their place, synced, then renamed, so that a crash leaves the old file or
/// the new one. Every call blocks on the disk.
package final class DataFolder: Sendable {
    /// The folder's path.
    package let path: String
    private let lock: Mutex<Int32>

    private static let lockName = "gateway.lock"

    /// For files that hold secrets.
    static let secretMode: mode_t = 0o600
    /// For files that anybody may read.
    static let publicMode: mode_t = 0o644

    /// Opens a folder, made with mode 0700 when it does not exist, and locks it.
    ///
    /// - Throws: `conflict` when another process has it, `storage` when it cannot be used.
    package init(path: String) throws(GatewayError) {
        self.path = path
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw GatewayError(code: .storage, message: "the data folder \(path) cannot be made: \(error)")
        }
        let file = path + "/" + DataFolder.lockName
        let descriptor = open(file, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw GatewayError.system("opening \(file)", errno) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let error = errno
            close(descriptor)
            guard error == EWOULDBLOCK else { throw GatewayError.system("locking \(file)", error) }
            throw GatewayError(
                code: .conflict,
                message: "another gateway uses the data folder \(path): stop it, or name another")
        }
        lock = Mutex(descriptor)
    }

    deinit {
        release()
    }

    /// Lets other processes have the folder.
    package func release() {
        lock.withLock { descriptor in
            guard descriptor >= 0 else { return }
            // Closing alone would leave the lock to a child process that is just being started and has its copy.
            flock(descriptor, LOCK_UN)
            close(descriptor)
            descriptor = -1
        }
    }

    /// The path of a file in the folder.
    package func file(_ name: String) -> String { path + "/" + name }

    /// The content of a file; nil when there is none.
    func read(_ name: String) throws(GatewayError) -> [UInt8]? {
        let path = file(name)
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw GatewayError(code: .storage, message: "\(path) cannot be read")
        }
        return [UInt8](data)
    }

    /// Replaces or creates a file.
    func write(_ content: [UInt8], to name: String, mode: mode_t) throws(GatewayError) {
        let target = file(name)
        let temporary = target + ".new"
        unlink(temporary)
        let descriptor = open(temporary, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw GatewayError.system("creating \(temporary)", errno) }
        var error = DataFolder.writeAll(content, to: descriptor)
        // The process's mask must not take away or add rights.
        if error == 0, fchmod(descriptor, mode) != 0 || fsync(descriptor) != 0 { error = errno }
        close(descriptor)
        if error == 0, rename(temporary, target) != 0 { error = errno }
        guard error == 0 else {
            unlink(temporary)
            throw GatewayError.system("writing \(target)", error)
        }
    }

    private static func writeAll(_ content: [UInt8], to descriptor: Int32) -> Int32 {
        content.withUnsafeBytes { bytes in
            var offset = 0
            while offset < bytes.count {
                let rest = UnsafeRawBufferPointer(rebasing: bytes[offset...])
                #if canImport(Glibc)
                let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
                #else
                let count = Darwin.write(descriptor, rest.baseAddress, rest.count)
                #endif
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return errno }
                offset += count
            }
            return 0
        }
    }
}

extension GatewayError {
    fileprivate static func system(_ action: String, _ error: Int32) -> GatewayError {
        GatewayError(code: .storage, message: "\(action): \(String(cString: strerror(error)))")
    }
}
