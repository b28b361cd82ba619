internal import Recurrence

/// What a preview found, as JSON and as text.
struct PreviewReport: Encodable, Sendable {
    struct Line: Encodable, Sendable {
        var instant: String
        var local: String
        var note: String?

        private enum CodingKeys: String, CodingKey { case instant, local, note }

        /// Writes a missing note as null, so that every line has the same keys.
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(instant, forKey: .instant)
            try container.encode(local, forKey: .local)
            try container.encode(note, forKey: .note)
        }
    }

    /// The answer to a line of a batch that cannot be evaluated.
    struct Failure: Encodable, Sendable {
        var error: String
    }

    var occurrences: [Line]

    init(_ occurrences: [Occurrence]) {
        self.occurrences = occurrences.map {
            Line(
                instant: $0.instant.iso8601WholeSeconds, local: $0.localISO8601, note: $0.note?.description)
        }
    }

    /// A line for a person: weekday, local time, instant, note.
    static func text(_ occurrence: Occurrence) -> String {
        let local = occurrence.local
        let offset = occurrence.localISO8601.suffix(6)
        var line = "\(local.date.weekday.name.prefix(3)) \(local.date) \(local.time) \(offset)"
        line += "  \(occurrence.instant.iso8601WholeSeconds)"
        if let note = occurrence.note { line += "  \(note)" }
        return line
    }
}
