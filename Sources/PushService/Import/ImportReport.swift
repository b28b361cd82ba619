internal import FoundationEssentials

/// What an import did.
public struct ImportReport: Sendable, Hashable, Codable {
    /// Rows that were left out for one reason.
    public struct Reason: Sendable, Hashable, Codable {
        /// LeanCloud's error code and the field.
        public var reason: String
        /// How many.
        public var count: Int
        /// The first of them: the row's place in the file from 1, its objectId, and what was wrong.
        public var examples: [String]
    }

    /// How many examples are kept for each reason.
    public static let exampleCountMax = 3
    /// How many reasons are told apart; more are counted as one.
    public static let reasonCountMax = 50

    /// Rows of the file that were read, those of an earlier, broken-off run included.
    public var read = 0
    /// Rows that were stored, or could be in a dry run.
    public var stored = 0
    /// Rows that were left out, the most frequent reason first.
    public var skipped: [Reason] = []
    /// The rows that an earlier run had done.
    public var resumedAfter = 0

    /// Makes an empty report.
    public init() {}

    /// How many rows were left out.
    public var skippedCount: Int { skipped.reduce(0) { $0 + $1.count } }

    /// The reasons as a store keeps them between runs.
    var skippedText: String {
        guard !skipped.isEmpty, let data = try? JSONEncoder().encode(skipped) else { return "" }
        return String(decoding: data, as: UTF8.self)
    }

    /// The reasons an earlier run has stored; none of a text that says nothing.
    static func reasons(of text: String) -> [Reason] {
        (try? JSONDecoder().decode([Reason].self, from: Data(text.utf8))) ?? []
    }

    mutating func skip(_ message: String, code: Int?, row: Int, objectID: String?) {
        // The field stands before the first colon; values after it would make a reason of every row.
        let field = message.prefix { $0 != ":" }
        var reason = code.map { "\($0) \(field)" } ?? String(field)
        if skipped.count >= Self.reasonCountMax, !skipped.contains(where: { $0.reason == reason }) {
            reason = "other"
        }
        let example = "row \(row)\(objectID.map { " (\($0))" } ?? ""): \(message)"
        if let index = skipped.firstIndex(where: { $0.reason == reason }) {
            skipped[index].count += 1
            if skipped[index].examples.count < Self.exampleCountMax {
                skipped[index].examples.append(example)
            }
        } else {
            skipped.append(Reason(reason: reason, count: 1, examples: [example]))
        }
    }
}
