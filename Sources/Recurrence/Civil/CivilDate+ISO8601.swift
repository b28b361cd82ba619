extension CivilDate: CustomStringConvertible {
    /// Reads `2027-03-12`; nil for any other text and for days that do not exist.
    public init?(iso8601 text: String) {
        var reader = DigitReader(text)
        guard let date = reader.date(), reader.isAtEnd else { return nil }
        self = date
    }

    /// `2027-03-12`.
    public var iso8601: String {
        var writer = DigitWriter()
        writer.write(self)
        return writer.text
    }

    /// The same as `iso8601`.
    public var description: String { iso8601 }
}
