internal import Crypto
internal import FoundationEssentials

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

/// What a store's secrets are sealed with: a passphrase of the operator, or a random key in a file.
public struct StoreSecret: Sendable {
    enum Source: Sendable {
        case passphrase([UInt8])
        case key([UInt8])
    }

    let source: Source

    /// The environment variable that holds a passphrase.
    public static let variable = "BELFRY_SECRET"
    /// The file of a data folder that holds the key when no passphrase is given.
    public static let fileName = "secret"
    /// The shortest passphrase that is taken, in bytes.
    public static let passphraseByteCountMin = 8

    /// A secret from a passphrase, from which the key is derived with the salt a store keeps.
    ///
    /// - Throws: `secret` when it is too short.
    public init(passphrase: String) throws(StoreError) {
        guard passphrase.utf8.count >= Self.passphraseByteCountMin else {
            throw StoreError(
                .secret,
                "\(Self.variable): \(passphrase.utf8.count) bytes were found, at least "
                    + "\(Self.passphraseByteCountMin) are needed")
        }
        source = .passphrase(Array(passphrase.utf8))
    }

    /// A secret that is the key itself, 32 bytes.
    ///
    /// - Throws: `secret` for another size.
    public init(key: [UInt8]) throws(StoreError) {
        guard key.count == AESGCM.keyByteCount else {
            throw StoreError(
                .secret, "the key has \(key.count) bytes, \(AESGCM.keyByteCount) are needed")
        }
        source = .key(key)
    }

    /// A new random secret that is kept nowhere; for stores of tests.
    public static func random() -> StoreSecret {
        StoreSecret(source: .key(RandomBytes.make(count: AESGCM.keyByteCount)))
    }

    private init(source: Source) {
        self.source = source
    }

    /// The secret of a data folder: the passphrase in the environment, else the file `secret`; blocks on the disk.
    ///
    /// - Parameters:
    ///   - folder: the data folder, which has to exist.
    ///   - environment: the environment of the process.
    ///   - isMadeWhenMissing: whether a file is made, with mode 0600, when there is none: not where a database is
    ///     sealed already.
    /// - Throws: `secret` for a passphrase or file that cannot be one or is missing, `database` for the disk.
    public static func load(
        folder: String, environment: [String: String], isMadeWhenMissing: Bool = true
    ) throws(StoreError) -> StoreSecret {
        if let passphrase = environment[variable], !passphrase.isEmpty {
            return try StoreSecret(passphrase: passphrase)
        }
        let path = folder + "/" + fileName
        if let key = try readKey(path) { return try StoreSecret(key: key) }
        guard isMadeWhenMissing else {
            throw StoreError(
                .secret,
                "\(path): there is no such file, and no \(variable): the database can only be opened with the secret it "
                    + "was made with; put the file back that belongs to it")
        }
        let key = RandomBytes.make(count: AESGCM.keyByteCount)
        if try createKey(key, path) { return try StoreSecret(key: key) }
        // Another process was faster; its key is whole, for the file appears by a link.
        guard let key = try readKey(path) else {
            throw StoreError(.secret, "\(path): the file was there and is gone")
        }
        return try StoreSecret(key: key)
    }

    private static func readKey(_ path: String) throws(StoreError) -> [UInt8]? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw StoreError(.secret, "\(path): the file cannot be read")
        }
        let digits = String(decoding: data, as: UTF8.self).filter { !$0.isWhitespace }
        guard let key = bytes(hexadecimal: digits), key.count == AESGCM.keyByteCount else {
            throw StoreError(
                .secret,
                "\(path): \(digits.utf8.count) characters were found, \(2 * AESGCM.keyByteCount) "
                    + "hexadecimal digits are needed; put the file back that belongs to this data folder")
        }
        return key
    }

    /// Writes the key beside its place and links it there; false when there is a file already.
    private static func createKey(_ key: [UInt8], _ path: String) throws(StoreError) -> Bool {
        let temporary = path + ".\(getpid()).new"
        unlink(temporary)
        defer { unlink(temporary) }
        let descriptor = open(temporary, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw fileError("creating \(temporary)", errno) }
        let text = Array((hexadecimal(key) + "\n").utf8)
        let count = write(descriptor, text, text.count)
        let error =
            count == text.count && fchmod(descriptor, 0o600) == 0 && fsync(descriptor) == 0 ? 0 : errno
        close(descriptor)
        guard count == text.count, error == 0 else { throw fileError("writing \(temporary)", error) }
        if link(temporary, path) == 0 { return true }
        let linkError = errno
        guard linkError == EEXIST else { throw fileError("creating \(path)", linkError) }
        return false
    }

    private static func fileError(_ action: String, _ error: Int32) -> StoreError {
        StoreError(.database, "\(action): \(String(cString: strerror(error)))")
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    private static func bytes(hexadecimal text: String) -> [UInt8]? {
        let digits = text.utf8.map { byte -> UInt8? in
            Character(Unicode.Scalar(byte)).hexDigitValue.map(UInt8.init)
        }
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = digits[index], let low = digits[index + 1] else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }
}
