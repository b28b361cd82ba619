extension String {
    /// The text cut to 100 characters, control characters replaced: a peer's certificate may hold anything, and
    /// its names end up in logs and on terminals.
    var printable: String {
        let characterCountMax = 100
        let scalars = unicodeScalars.prefix(characterCountMax).map { scalar -> Unicode.Scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse: "?"
            default: scalar
            }
        }
        var text = String(String.UnicodeScalarView(scalars))
        if unicodeScalars.count > characterCountMax { text += "…" }
        return text
    }
}
