/// Everything about a verb that parser, help, man page and shell completion need.
struct VerbDeclaration: Sendable {
    /// A command line that works, and what it is for.
    struct Example: Sendable {
        var purpose: String
        var command: String
    }

    /// What is typed after `belfry`: `["bench", "client"]`.
    var words: [String]
    /// One line, no full stop.
    var summary: String
    /// Paragraphs, separated by empty lines.
    var discussion = ""
    /// The verb's own options; the common ones come by themselves.
    var options: [OptionSpec] = []
    var operands: OperandSpec?
    var examples: [Example] = []

    var name: String { words.joined(separator: " ") }
    /// The verb's own options and those that every verb has.
    var allOptions: [OptionSpec] { options + CommonOptions.all }

    func parser(environment: [String: String] = [:]) -> OptionParser {
        OptionParser(verb: words, options: allOptions, operands: operands, environment: environment)
    }
}
