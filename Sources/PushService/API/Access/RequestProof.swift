internal import Crypto
internal import PushStore
internal import Recurrence
internal import Transport

/// The app that a request names, and what it proves itself with (LeanCloud: REST API guide, request format).
struct RequestProof: Sendable, Hashable {
    /// A key, or a digest of one.
    enum Secret: Sendable, Hashable {
        case key(String)
        /// The MD5 digest of a time and a key, in hexadecimal digits; the time as it was sent.
        case signature(digest: String, time: String)
    }

    var appID: String
    var secret: Secret
    /// Whether the master key is claimed.
    var isMaster: Bool
    /// `X-LC-Prod`; nil without it.
    var isProduction: Bool?

    /// Reads the headers; those of older SDKs begin with `X-AVOSCloud-`.
    ///
    /// - Throws: 401 when an app or a key is missing or malformed.
    init(_ headers: HTTPHeaders) throws(APIError) {
        func first(_ names: String...) -> String? {
            names.lazy.compactMap { headers.first(named: $0) }.first { !$0.isEmpty }
        }
        guard let appID = first("x-lc-id", "x-avoscloud-application-id", "x-uluru-application-id") else {
            throw Self.refusal("the header X-LC-Id is missing")
        }
        self.appID = appID
        switch first("x-lc-prod", "x-avoscloud-application-production", "x-uluru-application-production") {
        case nil: isProduction = nil
        case "1", "true": isProduction = true
        default: isProduction = false
        }
        if let sign = first("x-lc-sign", "x-avoscloud-request-sign", "x-uluru-request-sign") {
            let parts = sign.split(separator: ",", omittingEmptySubsequences: false).map(Self.trimmed)
            guard (2...3).contains(parts.count), parts[0].utf8.count == 2 * MD5.byteCount,
                (1...20).contains(parts[1].utf8.count), parts[1].utf8.allSatisfy({ 0x30...0x39 ~= $0 })
            else {
                throw Self.refusal(
                    "X-LC-Sign: '<md5 digits>,<milliseconds>' or that with ',master' is needed")
            }
            secret = .signature(digest: parts[0].lowercased(), time: parts[1])
            isMaster = parts.count == 3 && parts[2] == "master"
        } else if let master = first("x-avoscloud-master-key", "x-uluru-master-key") {
            secret = .key(master)
            isMaster = true
        } else if let key = first("x-lc-key", "x-avoscloud-application-key", "x-uluru-application-key") {
            let parts = key.split(separator: ",", omittingEmptySubsequences: false).map(Self.trimmed)
            secret = .key(parts[0])
            isMaster = parts.count == 2 && parts[1] == "master"
        } else {
            throw Self.refusal("the headers X-LC-Key and X-LC-Sign are missing")
        }
    }

    /// Whether it is the proof of one of some keys.
    ///
    /// A signature's time may be any: LeanCloud's servers take any, and a phone's clock may be wrong. Every key is
    /// compared, in a time that does not tell where they differ.
    func isProof(of keys: [AppKey], now: Instant) -> Bool {
        var isFound = false
        for key in keys where key.kind == (isMaster ? .master : .app) {
            if let expiresAt = key.expiresAt, expiresAt <= now { continue }
            let isEqual =
                switch secret {
                case .key(let secret): ConstantTime.areEqual(Array(secret.utf8), Array(key.secret.utf8))
                case .signature(let digest, let time):
                    ConstantTime.areEqual(
                        Array(digest.utf8), Self.signature(time: time, key: key.secret))
                }
            if isEqual { isFound = true }
        }
        return isFound
    }

    /// The digits of `md5(time + key)`.
    static func signature(time: String, key: String) -> [UInt8] {
        let digits = Array("0123456789abcdef".utf8)
        return MD5.digest(of: Array((time + key).utf8)).flatMap {
            [digits[Int($0 >> 4)], digits[Int($0 & 15)]]
        }
    }

    static func refusal(_ message: String) -> APIError { APIError(status: 401, code: 401, message) }

    private static func trimmed(_ text: Substring) -> String {
        String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
