/// Turns a command line into a verb's run and an exit status.
struct CommandLineRunner: Sendable {
    var console: Console
    var environment: [String: String]
    var stop: StopRequest

    /// Runs a command line, given without the program's name.
    func run(_ arguments: [String]) async -> CommandStatus {
        do throws(CommandError) {
            return try await dispatch(arguments)
        } catch {
            console.printError("belfry: \(error.message)")
            return error.status
        }
    }

    private func dispatch(_ arguments: [String]) async throws(CommandError) -> CommandStatus {
        // Common options may stand before the verb: move them behind it.
        let leading = arguments.prefix { $0.hasPrefix("-") && $0 != "--" }
        let words = Array(arguments.dropFirst(leading.count))
        if words.isEmpty {
            if leading.contains("--version") {
                return try await run(VersionVerb.self, leading.filter { $0 != "--version" })
            }
            guard leading.contains("--help") || leading.contains("-h") else {
                console.writeError(HelpText.overview())
                return .usage
            }
            console.writeOutput(HelpText.overview())
            return .done
        }
        guard let (verb, rest) = VerbTable.find(words) else { return try unknownVerb(words) }
        return try await run(verb, Array(leading) + rest)
    }

    private func run(_ verb: any Verb.Type, _ arguments: [String]) async throws(CommandError) -> CommandStatus
    {
        let declaration = verb.declaration
        if arguments.prefix(while: { $0 != "--" }).contains(where: { $0 == "--help" || $0 == "-h" }) {
            console.writeOutput(HelpText.verb(declaration))
            return .done
        }
        let options: ParsedOptions
        do throws(CommandError) {
            options = try declaration.parser(environment: environment).parse(arguments)
        } catch {
            throw .usage("\(declaration.name): \(error.message)\nSee: belfry \(declaration.name) --help")
        }
        let console = console
        let log = Log(
            threshold: options[CommonOptions.verbose] ? .debug : .info, format: options[CommonOptions.log],
            write: { console.printError($0) })
        let context = CommandContext(
            console: console, log: log, isJSON: options[CommonOptions.json], stop: stop)
        do throws(CommandError) {
            return try await verb.run(options, in: context)
        } catch {
            throw CommandError(status: error.status, message: "\(declaration.name): \(error.message)")
        }
    }

    /// The words name a group of verbs, or nothing.
    private func unknownVerb(_ words: [String]) throws(CommandError) -> CommandStatus {
        let group = Array(words.prefix(1))
        let next = VerbTable.nextWords(after: group)
        guard !next.isEmpty else {
            let near = Suggestion.clause(for: words[0], among: VerbTable.nextWords(after: []))
            throw .usage("unknown verb '\(words[0])'\(near)\nSee: belfry help")
        }
        if words.contains("--help") || words.contains("-h") {
            console.writeOutput(HelpText.group(group))
            return .done
        }
        let found = words.count > 1 ? "found '\(words[1])'" : "found nothing after it"
        let near = words.count > 1 ? Suggestion.clause(for: words[1], among: next) : ""
        throw .usage("\(words[0]): \(found); allowed: \(next.joined(separator: ", "))\(near)")
    }
}
