import COpenSSL

/// The calling thread's OpenSSL error queue: cleared before a call, drained right after a failure.
enum OpenSSLErrorQueue {
    /// One entry; `code` packs OpenSSL's library and reason numbers.
    struct Entry {
        let code: UInt

        var library: Int32 { ERR_GET_LIB(code) }
        var reason: Int32 { ERR_GET_REASON(code) }

        var text: String {
            if let text = ERR_reason_error_string(code) { return String(cString: text) }
            return "error \(reason) of library \(library)"
        }
    }

    /// Empties the queue; cheap when it is empty already, which is the rule.
    static func clear() {
        if ERR_peek_error() != 0 { ERR_clear_error() }
    }

    /// Takes every entry, oldest (the root cause) first.
    static func drain() -> [Entry] {
        var entries: [Entry] = []
        while true {
            let code = ERR_get_error()
            if code == 0 { return entries }
            entries.append(Entry(code: code))
        }
    }

    /// Drains the queue into one short text without file names.
    static func drainText() -> String {
        let entries = drain()
        return entries.isEmpty ? "no further detail" : entries.map(\.text).joined(separator: "; ")
    }

    /// The error for a call that fails only when memory is short or OpenSSL is broken.
    static func failure(in call: StaticString) -> CryptoError {
        CryptoError(.internalFailure, "OpenSSL's \(call) failed: \(drainText())")
    }
}
