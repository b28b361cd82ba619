internal import APNs

/// Reads the tokens of a query and writes its condition as the JSON of a `where`.
struct CQLParser {
    private let tokens: [CQLToken]
    private let values: [JSONValue]
    private var position = 0
    private var valueCount = 0

    init(tokens: [CQLToken], values: [JSONValue]) {
        self.tokens = tokens
        self.values = values
    }

    mutating func query() throws(ChangeError) -> CQL {
        var query = CQL()
        try expect("select")
        try selection(of: &query)
        try expect("from")
        let table = tokens[position]
        guard case .word(let name) = table.kind, name == "_Installation" else {
            throw fault(table, expected: "_Installation, the only class that lives here")
        }
        position += 1
        if take("where") {
            let json = try disjunction(depth: 0)
            // A record keeps the condition as JSON text, which nests less deep than conditions may.
            guard (try? json.encoded()) != nil else {
                throw ChangeError(code: 300, "cql: its conditions nest too deep, or a value is no JSON")
            }
            query.filter = try WhereClause(json)
        }
        if take("order") { try order(of: &query) }
        if take("limit") {
            query.limit = try count()
            if take(sign: ",") {
                query.skip = query.limit ?? 0
                query.limit = try count()
            }
        }
        if take("skip") { query.skip = try count() }
        guard tokens[position].kind == .end else { throw fault(tokens[position], expected: "the end") }
        guard valueCount == values.count else {
            throw ChangeError(
                code: 300,
                "cql: \(valueCount) question marks and \(values.count) values in pvalues were found")
        }
        return query
    }

    private mutating func selection(of query: inout CQL) throws(ChangeError) {
        var keys: [String]? = []
        repeat {
            if take(sign: "*") {
                keys = nil
            } else if isWord("count", at: position), tokens[position + 1].kind == .sign("(") {
                position += 2
                try expect(sign: "*")
                try expect(sign: ")")
                query.wantsCount = true
            } else {
                let key = try key()
                keys?.append(key)
            }
        } while take(sign: ",")
        if let keys, !keys.isEmpty { query.keys = keys }
    }

    private mutating func order(of query: inout CQL) throws(ChangeError) {
        try expect("by")
        repeat {
            let key = try key()
            let isDescending = take("desc")
            if !isDescending { _ = take("asc") }
            query.order.append(InstallationFind.Order(key: key, isDescending: isDescending))
        } while take(sign: ",")
    }

    private mutating func count() throws(ChangeError) -> Int {
        let token = tokens[position]
        guard case .integer(let integer)? = try scalar(), integer >= 0, let count = Int(exactly: integer)
        else {
            throw fault(token, expected: "a whole number from 0")
        }
        return count
    }

    // MARK: - Conditions

    private mutating func disjunction(depth: Int) throws(ChangeError) -> JSONValue {
        var alternatives = [try conjunction(depth: depth)]
        while take("or") { alternatives.append(try conjunction(depth: depth)) }
        return alternatives.count == 1 ? alternatives[0] : ["$or": .array(alternatives)]
    }

    private mutating func conjunction(depth: Int) throws(ChangeError) -> JSONValue {
        var conditions = [try negation(depth: depth)]
        while take("and") { conditions.append(try negation(depth: depth)) }
        return conditions.count == 1 ? conditions[0] : ["$and": .array(conditions)]
    }

    private mutating func negation(depth: Int) throws(ChangeError) -> JSONValue {
        guard depth < CQL.depthMax else {
            throw ChangeError(code: 300, "cql: conditions nest deeper than \(CQL.depthMax) levels")
        }
        if take("not") { return ["$not": try negation(depth: depth + 1)] }
        if take(sign: "(") {
            let condition = try disjunction(depth: depth + 1)
            try expect(sign: ")")
            return condition
        }
        return try comparison()
    }

    private mutating func comparison() throws(ChangeError) -> JSONValue {
        let key = try key()
        let token = tokens[position]
        position += 1
        switch token.kind {
        case .sign("="): return [key: try value()]
        case .sign("!="), .sign("<>"): return [key: ["$ne": try value()]]
        case .sign("<"): return [key: ["$lt": try value()]]
        case .sign("<="): return [key: ["$lte": try value()]]
        case .sign(">"): return [key: ["$gt": try value()]]
        case .sign(">="): return [key: ["$gte": try value()]]
        case .word(let word):
            switch word.lowercased() {
            case "in": return [key: ["$in": try list()]]
            case "all": return [key: ["$all": try list()]]
            case "like": return [key: try likeness()]
            case "regexp": return [key: ["$regex": .string(try text())]]
            case "exists": return [key: ["$exists": true]]
            case "is":
                let isNegated = take("not")
                if take("exists") { return [key: ["$exists": .bool(!isNegated)]] }
                try expect("null", or: "null or exists")
                return isNegated ? [key: ["$ne": nil]] : [key: nil]
            case "not":
                if take("in") { return [key: ["$nin": try list()]] }
                if take("like") { return [key: ["$not": try likeness()]] }
                if take("exists") { return [key: ["$exists": false]] }
                try expect("regexp", or: "in, like, regexp or exists")
                return [key: ["$not": ["$regex": .string(try text())]]]
            default: break
            }
        default: break
        }
        throw fault(token, expected: "a comparison, in, all, like, regexp, is, not or exists")
    }

    // MARK: - Values

    private mutating func value() throws(ChangeError) -> JSONValue {
        let token = tokens[position]
        if let scalar = try scalar() { return scalar }
        guard case .word(let word) = token.kind else { throw fault(token, expected: "a value") }
        position += 1
        switch word.lowercased() {
        case "true": return true
        case "false": return false
        case "null": return nil
        case "date":
            let iso = try arguments(1)
            return ["__type": "Date", "iso": iso[0]]
        case "pointer":
            let names = try arguments(2)
            return ["__type": "Pointer", "className": names[0], "objectId": names[1]]
        default: throw fault(token, expected: "a value; strings stand in quotation marks")
        }
    }

    /// A string, a number or what stands for a question mark; nil when there is none.
    private mutating func scalar() throws(ChangeError) -> JSONValue? {
        let value: JSONValue
        switch tokens[position].kind {
        case .string(let text): value = .string(text)
        case .integer(let integer): value = .integer(integer)
        case .number(let number): value = .number(number)
        case .sign("?"):
            guard valueCount < values.count else {
                throw fault(tokens[position], expected: "a value in pvalues for each")
            }
            value = values[valueCount]
            valueCount += 1
        default: return nil
        }
        position += 1
        return value
    }

    private mutating func arguments(_ count: Int) throws(ChangeError) -> [JSONValue] {
        try expect(sign: "(")
        var arguments: [JSONValue] = []
        for index in 0..<count {
            if index > 0 { try expect(sign: ",") }
            arguments.append(.string(try text()))
        }
        try expect(sign: ")")
        return arguments
    }

    private mutating func text() throws(ChangeError) -> String {
        let token = tokens[position]
        guard case .string(let text)? = try scalar() else { throw fault(token, expected: "a string") }
        return text
    }

    private mutating func list() throws(ChangeError) -> JSONValue {
        if tokens[position].kind == .sign("?"), let value = try scalar() {
            guard case .array = value else { return [value] }
            return value
        }
        try expect(sign: "(")
        if take(sign: ")") { return [] }
        var list = [try value()]
        while take(sign: ",") { list.append(try value()) }
        try expect(sign: ")")
        return .array(list)
    }

    /// The regular expression of a pattern in which `%` stands for any text and `_` for any character.
    private mutating func likeness() throws(ChangeError) -> JSONValue {
        var expression = "^"
        var isEscaped = false
        for scalar in try text().unicodeScalars {
            switch scalar {
            case "\\" where !isEscaped:
                isEscaped = true
                continue
            case "%" where !isEscaped: expression += ".*"
            case "_" where !isEscaped: expression += "."
            default:
                if isEscaped, scalar != "%", scalar != "_", scalar != "\\" { expression += "\\\\" }
                if scalar.isASCII, !WhereValue.isNameByte(UInt8(scalar.value)) { expression += "\\" }
                expression.unicodeScalars.append(scalar)
            }
            isEscaped = false
        }
        if isEscaped { expression += "\\\\" }
        return ["$regex": .string(expression + "\\z"), "$options": "s"]
    }

    // MARK: - Tokens

    private mutating func key() throws(ChangeError) -> String {
        switch tokens[position].kind {
        case .word(let word) where !CQLParser.reserved.contains(word.lowercased()):
            position += 1
            return word
        case .quotedWord(let word):
            position += 1
            return word
        default: throw fault(tokens[position], expected: "a field")
        }
    }

    private static let reserved: Set<String> = [
        "select", "from", "where", "order", "by", "limit", "skip", "and", "or", "not", "in", "like", "regexp",
        "is",
        "null", "true", "false",
    ]

    private func isWord(_ word: String, at position: Int) -> Bool {
        if case .word(let found) = tokens[position].kind { found.lowercased() == word } else { false }
    }

    private mutating func take(_ word: String) -> Bool {
        guard isWord(word, at: position) else { return false }
        position += 1
        return true
    }

    private mutating func take(sign: String) -> Bool {
        guard tokens[position].kind == .sign(sign) else { return false }
        position += 1
        return true
    }

    private mutating func expect(_ word: String, or others: String? = nil) throws(ChangeError) {
        if !take(word) { throw fault(tokens[position], expected: others ?? word) }
    }

    private mutating func expect(sign: String) throws(ChangeError) {
        if !take(sign: sign) { throw fault(tokens[position], expected: "'\(sign)'") }
    }

    private func fault(_ token: CQLToken, expected: String) -> ChangeError {
        ChangeError(
            code: 300,
            "cql: character \(token.place): \(token.description) was found, \(expected) is expected")
    }
}
