internal import CPCRE2

/// A compiled pattern of PCRE2, the engine whose syntax LeanCloud's `$regex` has.
///
/// `@unchecked Sendable`: both pointers are written by `init` and `deinit` alone, and PCRE2 only reads them
/// while matching.
final class RegularExpression: @unchecked Sendable {
    /// How many steps one match may take; a pattern that backtracks for ever ends here.
    static let matchLimit: UInt32 = 200_000
    /// How many KiB of memory one match may take.
    static let heapLimitKibibytes: UInt32 = 4096

    /// Why a pattern was refused or a match given up.
    struct Fault: Error, Hashable {
        var message: String
    }

    let pattern: String
    /// The letters of `$options`.
    let options: String
    private let code: OpaquePointer
    private let context: OpaquePointer

    init(pattern: String, options: String) throws(Fault) {
        guard pattern.utf8.count <= WhereClause.patternByteCountMax else {
            throw Fault(
                message:
                    "a pattern of \(pattern.utf8.count) bytes, \(WhereClause.patternByteCountMax) are allowed"
            )
        }
        var flags = PCRE2_UTF | PCRE2_NEVER_BACKSLASH_C
        for letter in options {
            switch letter {
            case "i": flags |= PCRE2_CASELESS
            case "m": flags |= PCRE2_MULTILINE
            case "s": flags |= PCRE2_DOTALL
            case "x": flags |= PCRE2_EXTENDED
            default:
                throw Fault(
                    message: "the options have \(WhereValue.shown(String(letter))), i, m, s and x are allowed"
                )
            }
        }
        var number: Int32 = 0
        var offset = 0
        var bytes = Array(pattern.utf8)
        bytes.append(0)
        guard let code = pcre2_compile_8(bytes, bytes.count - 1, flags, &number, &offset, nil) else {
            throw Fault(message: "at byte \(offset): \(RegularExpression.message(number))")
        }
        guard let context = pcre2_match_context_create_8(nil) else {
            pcre2_code_free_8(code)
            throw Fault(message: "out of memory")
        }
        pcre2_set_match_limit_8(context, RegularExpression.matchLimit)
        pcre2_set_heap_limit_8(context, RegularExpression.heapLimitKibibytes)
        self.pattern = pattern
        self.options = options
        self.code = code
        self.context = context
    }

    deinit {
        pcre2_match_context_free_8(context)
        pcre2_code_free_8(code)
    }

    /// Whether the pattern is found anywhere in a text.
    ///
    /// - Throws: a fault when the match takes more than its limits.
    func isFound(in text: String) throws(Fault) -> Bool {
        guard let match = pcre2_match_data_create_8(1, nil) else { throw Fault(message: "out of memory") }
        defer { pcre2_match_data_free_8(match) }
        var text = text
        let result = text.withUTF8 { bytes -> Int32 in
            guard let start = bytes.baseAddress else {
                return pcre2_match_8(code, [0], 0, 0, 0, match, context)
            }
            return pcre2_match_8(code, start, bytes.count, 0, PCRE2_NO_UTF_CHECK, match, context)
        }
        if result >= 0 { return true }
        if result == PCRE2_ERROR_NOMATCH { return false }
        throw Fault(message: RegularExpression.message(result))
    }

    private static func message(_ number: Int32) -> String {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 256) { buffer in
            let count = pcre2_get_error_message_8(number, buffer.baseAddress, buffer.count)
            return count > 0 ? String(decoding: buffer.prefix(Int(count)), as: UTF8.self) : "error \(number)"
        }
    }
}
