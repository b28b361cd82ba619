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
        findings.append(
            LintFinding(
                severity: severity, rule: rule, keyPath: visible(keyPath, scalarCountMax: 200),
                message: visible(message, scalarCountMax: 1000)))
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

    /// A text from outside in quotation marks, cut to a readable length.
    func quoted(_ text: String) -> String { "\"\(visible(text, scalarCountMax: 60))\"" }

    /// A text that cannot steer a terminal: without control characters and marks that turn its direction.
    private func visible(_ text: String, scalarCountMax: Int) -> String {
        var output = ""
        var count = 0
        for scalar in text.unicodeScalars {
            if count == scalarCountMax { return output + "…" }
            switch scalar.value {
            case 0..<0x20, 0x7f..<0xa0, 0x200e...0x200f, 0x2028...0x202e, 0x2066...0x2069:
                output.unicodeScalars.append("\u{fffd}")
            default: output.unicodeScalars.append(scalar)
            }
            count += 1
        }
        return output
    }
}
