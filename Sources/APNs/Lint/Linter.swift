/// One examination: what is known, and what was found so far.
struct Linter {
    let headers: LintHeaders
    let now: Int64?
    let isSimulatorFile: Bool
    private(set) var findings: [LintFinding] = []

    init(headers: LintHeaders, now: Int64?, isSimulatorFile: Bool) {
        self.headers = headers
        self.now = now
        self.isSimulatorFile = isSimulatorFile
    }

    /// The push type the headers name, if it exists.
    var pushType: PushType? { headers.pushType.flatMap(PushType.init(rawValue:)) }

    mutating func error(_ rule: LintRule, _ keyPath: String, _ message: String) {
        report(.error, rule, keyPath, message)
    }

    mutating func warning(_ rule: LintRule, _ keyPath: String, _ message: String) {
        report(.warning, rule, keyPath, message)
    }

    private mutating func report(
        _ severity: LintFinding.Severity, _ rule: LintRule, _ keyPath: String, _ message: String
    ) {
        guard findings.count < Lint.findingCountMax else { return }
        findings.append(LintFinding(severity: severity, rule: rule, keyPath: keyPath, message: message))
    }

    /// A value in words, cut to a readable length.
    func words(_ value: JSONValue) -> String {
        switch value {
        case .null: "null"
        case .bool(let bool): "\(bool)"
        case .integer(let integer): "the number \(integer)"
        case .number(let number): "the number \(number)"
        case .string(let string): "the string \(quoted(string))"
        case .array: "an array"
        case .object: "an object"
        }
    }

    /// A text from outside in quotation marks, cut to a readable length and without control characters.
    func quoted(_ text: String) -> String {
        let visible = text.prefix(40).unicodeScalars.prefix(80).map { scalar in
            scalar.value < 0x20 || scalar.value == 0x7f ? "\u{fffd}" : Character(scalar)
        }
        let isCut = text.utf8.count > 80 && visible.count < text.unicodeScalars.count
        return "\"\(String(visible))\(isCut ? "…" : "")\""
    }
}
