/// Reads a verb's arguments by its declaration.
///
/// `--name value`, `--name=value`, `-n value`, `-nvalue`, `-vj` for two flags, `--flag=false`; `--` ends the
/// options. What the command line leaves out is taken from `BELFRY_…` variables.
struct OptionParser: Sendable {
    /// The verb's words, `["bench", "client"]`: part of the names of its variables and of error messages.
    var verb: [String]
    var options: [OptionSpec]
    var operands: OperandSpec?
    var environment: [String: String] = [:]

    /// Reads and checks arguments.
    ///
    /// - Throws: a usage error that names the option, what was found and what is allowed.
    func parse(_ arguments: [String]) throws(CommandError) -> ParsedOptions {
        var parsed = ParsedOptions(declared: Set(options.map(\.name)))
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            if argument == "--" {
                parsed.operands += rest
                break
            } else if argument.hasPrefix("--") {
                try readLong(argument, &rest, &parsed)
            } else if argument.hasPrefix("-"), argument.count > 1 {
                try readShort(argument, &rest, &parsed)
            } else {
                parsed.operands.append(argument)
            }
        }
        try readEnvironment(&parsed)
        try checkOperands(parsed.operands)
        return parsed
    }

    private func readLong(
        _ argument: String, _ rest: inout ArraySlice<String>, _ parsed: inout ParsedOptions
    ) throws(CommandError) {
        let body = argument.dropFirst(2)
        let name = String(body.prefix { $0 != "=" })
        let inline = body.count > name.count ? String(body.dropFirst(name.count + 1)) : nil
        guard let option = options.first(where: { $0.name == name }) else {
            let near = Suggestion.clause(for: name, among: options.map(\.name), prefix: "--")
            throw .usage("unknown option --\(name)\(near)")
        }
        if option.value == nil {
            try store(inline ?? "true", of: option, named: "--\(name)", in: &parsed)
        } else if let inline {
            try store(inline, of: option, named: "--\(name)", in: &parsed)
        } else {
            try storeNext(&rest, of: option, named: "--\(name)", in: &parsed)
        }
    }

    private func readShort(
        _ argument: String, _ rest: inout ArraySlice<String>, _ parsed: inout ParsedOptions
    ) throws(CommandError) {
        var letters = argument.dropFirst()
        while let letter = letters.popFirst() {
            guard let option = options.first(where: { $0.short == letter }) else {
                // -port for --port is a common slip.
                let near = Suggestion.clause(
                    for: String(argument.dropFirst()), among: options.map(\.name), prefix: "--")
                throw .usage("unknown option -\(letter)\(near)")
            }
            let name = "-\(letter) (--\(option.name))"
            if option.value == nil {
                try store("true", of: option, named: name, in: &parsed)
            } else if letters.isEmpty {
                try storeNext(&rest, of: option, named: name, in: &parsed)
            } else {
                try store(String(letters), of: option, named: name, in: &parsed)
                letters = ""
            }
        }
    }

    private func storeNext(
        _ rest: inout ArraySlice<String>, of option: OptionSpec, named name: String,
        in parsed: inout ParsedOptions
    ) throws(CommandError) {
        guard let next = rest.first, !next.hasPrefix("--") else {
            let found = rest.first.map { "found the option '\($0)'" } ?? "found nothing after it"
            throw .usage("\(name) needs a value: \(found); allowed: \(option.value?.allowed ?? "")")
        }
        rest.removeFirst()
        try store(next, of: option, named: name, in: &parsed)
    }

    /// Reads one value's text and keeps it.
    private func store(
        _ text: String, of option: OptionSpec, named name: String, in parsed: inout ParsedOptions
    ) throws(CommandError) {
        let kind = option.value ?? Self.flagValue
        guard let value = kind.read(text) else {
            let near = Suggestion.clause(for: text, among: kind.choices)
            throw .usage("\(name): found '\(Self.shown(text))'; allowed: \(kind.allowed)\(near)")
        }
        if option.isRepeatable {
            parsed.values[option.name, default: []].append(value)
        } else {
            parsed.values[option.name] = [value]
        }
    }

    /// Fills in what was not given on the command line; an empty variable counts as unset.
    private func readEnvironment(_ parsed: inout ParsedOptions) throws(CommandError) {
        for option in options where parsed.values[option.name] == nil {
            for name in option.environmentNames(verb: verb) {
                guard let text = environment[name], !text.isEmpty else { continue }
                try store(text, of: option, named: name, in: &parsed)
                break
            }
        }
    }

    private func checkOperands(_ found: [String]) throws(CommandError) {
        let name = operands?.name ?? ""
        if found.count < operands?.countMin ?? 0 {
            throw .usage("needs \(operands?.countMax == 1 ? "" : "at least one ")\(name); found none")
        }
        if let max = operands?.countMax ?? (operands == nil ? 0 : nil), found.count > max {
            throw .usage("unexpected argument '\(Self.shown(found[max]))'")
        }
        guard let choices = operands?.choices, !choices.isEmpty else { return }
        for operand in found where !choices.contains(operand) {
            let near = Suggestion.clause(for: operand, among: choices)
            throw .usage(
                "\(name): found '\(Self.shown(operand))'; allowed: \(choices.joined(separator: ", "))\(near)")
        }
    }

    /// A value as an error shows it: cut, since it may be a payload or a key given by mistake.
    private static func shown(_ text: String) -> String {
        text.count > 24 ? text.prefix(24) + "…" : text
    }

    private static let flagValue = ValueKind<any Sendable>(
        placeholder: "", allowed: "true or false", choices: ["true", "false"]
    ) { text in
        switch text.lowercased() {
        case "true", "yes", "on", "1": true
        case "false", "no", "off", "0": false
        default: nil
        }
    }
}
