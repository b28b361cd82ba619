internal import APNs

/// `belfry lint`.
enum LintVerb: Verb {
    // Headers are taken as they are written: what is wrong with them is for the check to say.
    static let topic = Option.optional("topic", short: "t", .text("TOPIC"), "The header apns-topic.")
    static let pushType = Option.optional(
        "push-type", .anything("TYPE", suggesting: PushType.allCases.map(\.rawValue)),
        "The header apns-push-type.")
    static let priority = Option.optional(
        "priority", .anything("N", suggesting: ["1", "5", "10"]), "The header apns-priority.")
    static let expiration = Option.optional(
        "expiration", .text("SECONDS"), "The header apns-expiration: seconds since 1970, or 0.")
    static let collapseID = Option.optional("collapse-id", .text("ID"), "The header apns-collapse-id.")
    static let id = Option.optional("id", .text("UUID"), "The header apns-id.")
    static let token = Option.optional("token", .text("HEX"), "The device token.")
    static let bundle = Option.optional(
        "bundle", .text("ID"),
        "The app that simctl is told on its command line: an .apns file then need not name it.")
    static let isSimulator = Option.flag("simulator", "Take every FILE for an .apns file, whatever its name.")

    static let declaration = VerbDeclaration(
        words: ["lint"],
        summary: "check payloads and .apns files, say what will go wrong",
        discussion: """
            Finds what APNs would refuse and what a device would ignore: wrong types, misspelt keys, sizes, \
            headers that do not fit the payload. The exit code is 1 when there are errors; warnings alone leave \
            it 0.
            """,
        options: [
            topic.spec, pushType.spec, priority.spec, expiration.spec, collapseID.spec, id.spec, token.spec,
            bundle.spec, isSimulator.spec,
        ],
        operands: OperandSpec(
            name: "FILE", help: "A payload (JSON) or an .apns file; '-' is standard input.", countMin: 1,
            isPath: true),
        examples: [
            .init(purpose: "a payload as it would be sent", command: "belfry lint payload.json"),
            .init(
                purpose: "with the headers that go with it",
                command:
                    "belfry lint --push-type background --priority 5 --topic com.example.App payload.json"),
            .init(purpose: "from a pipe, for a script", command: "cat payload.json | belfry lint --json -"),
        ])

    /// What was found in one file.
    private struct Report: Encodable, Sendable {
        struct Finding: Encodable, Sendable {
            var severity: String
            var rule: String
            var key: String
            var message: String
        }

        var file: String
        var errors: Int
        var warnings: Int
        var findings: [Finding]

        init(_ file: String, _ found: [LintFinding]) {
            self.file = file
            errors = found.count { $0.severity == .error }
            warnings = found.count - errors
            findings = found.map {
                Finding(
                    severity: $0.severity.rawValue, rule: $0.rule.rawValue, key: $0.keyPath,
                    message: $0.message)
            }
        }
    }

    static func run(
        _ options: ParsedOptions, in context: CommandContext
    ) async throws(CommandError) -> CommandStatus {
        var hasErrors = false
        for file in options.operands {
            let findings = try check(file, options, now: context.now())
            hasErrors = hasErrors || findings.contains { $0.severity == .error }
            if context.isJSON {
                try context.console.printJSON(Report(file, findings))
            } else if findings.isEmpty {
                context.console.print("\(file): ok")
            } else {
                for finding in findings { context.console.print("\(file): \(line(finding))") }
            }
        }
        return hasErrors ? .failed : .done
    }

    /// Severity, place, message and rule; most messages name the place themselves.
    private static func line(_ finding: LintFinding) -> String {
        let place = finding.message.contains(finding.keyPath) ? "" : finding.keyPath + ": "
        return "\(finding.severity.rawValue): \(place)\(finding.message) [\(finding.rule.rawValue)]"
    }

    private static func check(
        _ file: String, _ options: ParsedOptions, now: Int64
    ) throws(CommandError) -> [LintFinding] {
        let bytes = try InputFile.read(file)
        let headers = LintHeaders(
            token: options[token], pushType: options[pushType], topic: options[topic],
            priority: options[priority], expiration: options[expiration], collapseID: options[collapseID],
            id: options[id])
        guard options[isSimulator] || file.hasSuffix(".apns") else {
            return Lint.payload(bytes, headers: headers, now: now)
        }
        guard headers == LintHeaders() else {
            throw .usage("\(file): an .apns file has no headers; leave them out, or check a payload")
        }
        let findings = Lint.simulatorFile(bytes, now: now)
        return options.isGiven(bundle) ? findings.filter { $0.rule != .simulatorTarget } : findings
    }
}
