/// One option as declared, without its Swift type: what parser, help, completion and man page read.
struct OptionSpec: Sendable {
    /// The long name without its dashes: `control-port`.
    let name: String
    /// The one-letter name, if it has one.
    let short: Character?
    /// One or two sentences for help texts.
    let help: String
    /// The value it takes; nil for a flag.
    let value: ValueKind<any Sendable>?
    /// Whether each use adds a value; otherwise the last one counts.
    let isRepeatable: Bool
    /// The default in words, if there is one to tell.
    let defaultText: String?
    /// Whether a `BELFRY_…` variable can set it.
    var isReadFromEnvironment = true

    /// The variable that sets it for every verb: `BELFRY_CONTROL_PORT`.
    var environmentName: String { "BELFRY_" + Self.variableName(name) }

    /// The variables that may set it for one verb, the one that counts first.
    func environmentNames(verb: [String]) -> [String] {
        guard isReadFromEnvironment else { return [] }
        let words = verb.map(Self.variableName) + [Self.variableName(name)]
        return verb.isEmpty
            ? [environmentName] : ["BELFRY_" + words.joined(separator: "_"), environmentName]
    }

    private static func variableName(_ name: String) -> String {
        String(name.uppercased().map { $0 == "-" ? "_" : $0 })
    }
}
