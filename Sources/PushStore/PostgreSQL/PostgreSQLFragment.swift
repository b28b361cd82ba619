internal import PostgreSQL

/// A piece of SQL with the values of its placeholders, in their order; each is written as `?` until the end.
struct PostgreSQLFragment: Sendable, Hashable {
    /// The text: written in this module alone, never anything from outside.
    private(set) var sql: String
    /// The values.
    private(set) var values: [Value]

    init(_ sql: StaticString = "", _ values: [Value] = []) {
        self.sql = sql.description
        self.values = values
    }

    /// Adds text that is written in the source, and the values of its placeholders.
    mutating func append(_ sql: StaticString, _ values: [Value] = []) {
        self.sql += sql.description
        self.values += values
    }

    /// Adds another piece.
    mutating func append(_ other: PostgreSQLFragment) {
        sql += other.sql
        values += other.values
    }

    /// Several pieces with a word between them.
    static func joined(_ fragments: [PostgreSQLFragment], by separator: StaticString) -> PostgreSQLFragment {
        var whole = PostgreSQLFragment()
        for (index, fragment) in fragments.enumerated() {
            if index > 0 { whole.append(separator) }
            whole.append(fragment)
        }
        return whole
    }

    /// Several pieces joined and in parentheses, or the only one by itself.
    static func grouped(_ fragments: [PostgreSQLFragment], by separator: StaticString) -> PostgreSQLFragment {
        guard fragments.count != 1 else { return fragments[0] }
        var whole = PostgreSQLFragment("(")
        whole.append(joined(fragments, by: separator))
        whole.append(")")
        return whole
    }

    /// A condition that holds exactly where this one does not, be it false or unknown.
    var negated: PostgreSQLFragment {
        var whole = PostgreSQLFragment("((")
        whole.append(self)
        whole.append(") IS NOT TRUE)")
        return whole
    }

    /// The statement as the server takes it, with numbered placeholders.
    var statement: Statement {
        var text = ""
        text.reserveCapacity(sql.utf8.count + values.count * 3)
        var number = 0
        for character in sql.unicodeScalars {
            if character == "?" {
                number += 1
                text += "$\(number)"
            } else {
                text.unicodeScalars.append(character)
            }
        }
        precondition(number == values.count, "a fragment has a value for each placeholder")
        return Statement(text, values)
    }
}
