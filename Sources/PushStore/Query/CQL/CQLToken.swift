/// A word, value or sign of a query's text.
struct CQLToken: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        /// A key word or a field, as written.
        case word(String)
        /// A field in back quotes, which is never a key word.
        case quotedWord(String)
        case string(String)
        case integer(Int64)
        case number(Double)
        /// One of `( ) , * ? = != <> < <= > >=`.
        case sign(String)
        case end
    }

    var kind: Kind
    /// Where it begins, counted in characters from 1.
    var place: Int

    /// The token in an error's sentence.
    var description: String {
        switch kind {
        case .word(let text), .quotedWord(let text), .string(let text), .sign(let text):
            WhereValue.shown(text)
        case .integer(let integer): "\(integer)"
        case .number(let number): "\(number)"
        case .end: "the end"
        }
    }
}
