/// Cuts the text of a query into tokens.
struct CQLTokenizer {
    private let scalars: [Unicode.Scalar]
    private var position = 0

    static func tokens(of text: String) throws(ChangeError) -> [CQLToken] {
        var tokenizer = CQLTokenizer(scalars: Array(text.unicodeScalars))
        var tokens: [CQLToken] = []
        repeat { tokens.append(try tokenizer.next()) } while tokens.last?.kind != .end
        return tokens
    }

    private init(scalars: [Unicode.Scalar]) {
        self.scalars = scalars
    }

    private var current: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

    private mutating func next() throws(ChangeError) -> CQLToken {
        while let scalar = current, scalar == " " || scalar == "\t" || scalar == "\n" || scalar == "\r" {
            position += 1
        }
        let place = position + 1
        guard let scalar = current else { return CQLToken(kind: .end, place: place) }
        switch scalar {
        case "'", "\"": return CQLToken(kind: .string(try string(until: scalar)), place: place)
        case "`": return CQLToken(kind: .quotedWord(try quotedWord()), place: place)
        case "0"..."9": return CQLToken(kind: try number(), place: place)
        case "-", "+", ".": return CQLToken(kind: try number(), place: place)
        case "(", ")", ",", "*", "?", "=":
            position += 1
            return CQLToken(kind: .sign(String(Character(scalar))), place: place)
        case "<", ">", "!":
            position += 1
            var sign = String(Character(scalar))
            if current == "=" || (scalar == "<" && current == ">") {
                sign += current == "=" ? "=" : ">"
                position += 1
            }
            guard sign != "!" else { throw fault(place, "'!' was found, '!=' is allowed") }
            return CQLToken(kind: .sign(sign), place: place)
        default:
            guard CQLTokenizer.beginsWord(scalar) else {
                throw fault(place, "\(WhereValue.shown(String(Character(scalar)))) means nothing here")
            }
            var word = ""
            while let scalar = current,
                CQLTokenizer.beginsWord(scalar) || ("0"..."9").contains(scalar) || scalar == "."
            {
                word.unicodeScalars.append(scalar)
                position += 1
            }
            return CQLToken(kind: .word(word), place: place)
        }
    }

    private static func beginsWord(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "_": true
        default: scalar.value >= 0x80 && scalar.properties.isAlphabetic
        }
    }

    /// The text between quotation marks; a doubled one and backslashes stand for what SQL lets them.
    private mutating func string(until mark: Unicode.Scalar) throws(ChangeError) -> String {
        let start = position + 1
        position += 1
        var text = ""
        while let scalar = current {
            position += 1
            if scalar == mark {
                guard current == mark else { return text }
                position += 1
                text.unicodeScalars.append(mark)
            } else if scalar == "\\" {
                switch current {
                case "'", "\"", "\\": if let current { text.unicodeScalars.append(current) }
                case "n": text += "\n"
                case "t": text += "\t"
                case "r": text += "\r"
                // These two are for like, which tells them from its own signs.
                case "%": text += "\\%"
                case "_": text += "\\_"
                default: throw fault(position, "a backslash stands before ' \" \\ n t r % and _ only")
                }
                position += 1
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        throw fault(start, "the string that begins here has no end")
    }

    private mutating func quotedWord() throws(ChangeError) -> String {
        let start = position + 1
        position += 1
        var word = ""
        while let scalar = current {
            position += 1
            if scalar == "`" { return word }
            word.unicodeScalars.append(scalar)
        }
        throw fault(start, "the name that begins here has no end")
    }

    private mutating func number() throws(ChangeError) -> CQLToken.Kind {
        let start = position
        var text = ""
        while let scalar = current {
            let isSign = scalar == "-" || scalar == "+"
            guard
                ("0"..."9").contains(scalar) || scalar == "." || scalar == "e" || scalar == "E"
                    || (isSign && (position == start || text.last == "e" || text.last == "E"))
            else { break }
            text.unicodeScalars.append(scalar)
            position += 1
        }
        if let integer = Int64(text) { return .integer(integer) }
        guard text.utf8.contains(where: { 0x30...0x39 ~= $0 }), let number = Double(text), number.isFinite
        else {
            throw fault(start + 1, "\(WhereValue.shown(text)) is no number")
        }
        // JSON's numbers are read alike: a whole one is an integer however it is written.
        return Int64(exactly: number).map(CQLToken.Kind.integer) ?? .number(number)
    }

    private func fault(_ place: Int, _ message: String) -> ChangeError {
        ChangeError(code: 300, "cql: character \(place): \(message)")
    }
}
