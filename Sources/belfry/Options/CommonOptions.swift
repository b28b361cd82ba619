/// The options that every verb takes.
enum CommonOptions {
    static let json = Option.flag("json", "Print one JSON object a result instead of text.")
    static let verbose = Option.flag("verbose", short: "v", "Log what happens in detail, on standard error.")
    static let log = Option.value(
        "log", ValueKind<Log.Format>.choice("FORMAT"), default: .text, defaultText: "text",
        "How log lines look: key=value text, or JSON objects.")
    static let help = Option.flag("help", short: "h", "Show the help of the verb and do nothing.")

    static let all: [OptionSpec] = {
        var help = Self.help.spec
        help.isReadFromEnvironment = false
        return [json.spec, verbose.spec, log.spec, help]
    }()
}
