internal import Crypto

/// Seals what a store must not show in a copy of its database: keys of apps, and credentials for APNs.
///
/// A sealed value names the row it belongs to (see ``Place``) without holding it: copied into another row it does
/// not open.
struct SecretBox: Sendable {
    /// Where a sealed value is kept.
    struct Place: Sendable {
        var table: String
        var row: Int64
        var column: String

        fileprivate var bytes: [UInt8] { Array("belfry/1/\(table)/\(row)/\(column)".utf8) }
    }

    /// Bytes of the salt that a store keeps for passphrases.
    static let saltByteCount = 16

    private let key: [UInt8]

    /// Makes a box; derives the key from a passphrase, which blocks for about 0.1 s.
    init(secret: StoreSecret, salt: [UInt8]) throws(StoreError) {
        switch secret.source {
        case .key(let key):
            self.key = key
        case .passphrase(let passphrase):
            do {
                key = try Scrypt.key(
                    passphrase: passphrase, salt: salt, cost: .start, byteCount: AESGCM.keyByteCount)
            } catch {
                throw StoreError(.secret, error.message)
            }
        }
    }

    /// Encrypts a text for one place.
    func seal(_ text: String, at place: Place) throws(StoreError) -> [UInt8] {
        do {
            return try AESGCM.seal(Array(text.utf8), key: key, additionalData: place.bytes)
        } catch {
            throw StoreError(.secret, error.message)
        }
    }

    /// Decrypts a text of a place.
    ///
    /// - Throws: `secret` when it was sealed with another secret or for another place.
    func open(_ sealed: [UInt8], at place: Place) throws(StoreError) -> String {
        let plain: [UInt8]?
        do {
            plain = try AESGCM.open(sealed, key: key, additionalData: place.bytes)
        } catch {
            throw StoreError(.secret, error.message)
        }
        guard let plain else {
            throw StoreError(
                .secret,
                "row \(place.row) of \(place.table) was sealed with another secret: "
                    + "give the \(StoreSecret.variable) or the file `\(StoreSecret.fileName)` it was made with"
            )
        }
        return String(decoding: plain, as: UTF8.self)
    }
}
