internal import Crypto

/// Ids and keys for apps, of the length LeanCloud's have.
enum AppSecret {
    /// 24 letters and digits: 142 random bits.
    static func make() -> String { RandomText.alphanumeric(count: 24) }
}
