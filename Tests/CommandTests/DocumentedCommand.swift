@testable import belfry

/// A command line that a document promises to work.
enum DocumentedCommand {
    /// Parses a `belfry …` command line the way the program would.
    static func check(_ words: [String]) throws(CommandError) {
        let arguments = Array(words.dropFirst())
        if ["--help", "--version"].contains(arguments.first) { return }
        guard let (verb, rest) = VerbTable.find(arguments) else {
            throw .usage("no such verb: \(words.joined(separator: " "))")
        }
        if rest.contains("--help") { return }
        _ = try verb.declaration.parser().parse(rest)
    }
}
