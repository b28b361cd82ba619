package import SQLite

/// A piece of SQL with the values of its placeholders, in their order.
package struct SQLFragment: Sendable, Hashable {
    /// The text: written in this module alone, never anything from outside.
    package private(set) var sql: String
    /// The values.
    package private(set) var values: [Value]

    package init(_ sql: StaticString = "", _ values: [Value] = []) {
        self.sql = sql.description
        self.values = values
    }

    /// Adds text that is written in the source, and the values of its placeholders.
    package mutating func append(_ sql: StaticString, _ values: [Value] = []) {
        self.sql += sql.description
        self.values += values
    }

    /// Adds another piece.
    package mutating func append(_ other: SQLFragment) {
        sql += other.sql
        values += other.values
    }

    /// Several pieces with a word between them.
    static func joined(_ fragments: [SQLFragment], by separator: StaticString) -> SQLFragment {
        var whole = SQLFragment()
        for (index, fragment) in fragments.enumerated() {
            if index > 0 { whole.append(separator) }
            whole.append(fragment)
        }
        return whole
    }

    /// Several pieces joined and in parentheses, or the only one by itself.
    static func grouped(_ fragments: [SQLFragment], by separator: StaticString) -> SQLFragment {
        guard fragments.count != 1 else { return fragments[0] }
        var whole = SQLFragment("(")
        whole.append(joined(fragments, by: separator))
        whole.append(")")
        return whole
    }

    /// A condition that holds exactly where this one does not, be it false or unknown.
    var negated: SQLFragment {
        var whole = SQLFragment("((")
        whole.append(self)
        whole.append(") IS NOT TRUE)")
        return whole
    }
}
