internal import APNs

/// `belfry explain`.
enum ExplainVerb: Verb {
    static let declaration = VerbDeclaration(
        words: ["explain"],
        summary: "say why a device did or did not get a push",
        discussion: """
            Asks a push service and prints each step with its evidence: whether the device was meant, whether it may be \
            sent to, what APNs answered. The exit code is 1 when the device was stopped at one of them.
            """,
        options: ServiceClient.all,
        operands: OperandSpec(
            name: "ID", help: "The push's id, then the installation's objectId.", countMin: 2, countMax: 2),
        examples: [
            .init(
                purpose: "with the master key in BELFRY_MASTER_KEY",
                command: "belfry explain --service http://localhost:8080 --app news"
                    + " hVemsw7Vt9f4Kbes 6583f00c11ba4c2ab0d3c9f1")
        ])

    static func run(
        _ options: ParsedOptions, in context: CommandContext
    ) async throws(CommandError) -> CommandStatus {
        let (push, installation) = (options.operands[0], options.operands[1])
        let answer = try await ServiceClient(options).call(
            "GET",
            "/1.1/explain?push=\(ServiceClient.escaped(push))"
                + "&installation=\(ServiceClient.escaped(installation))")
        guard case .array(let steps)? = answer["steps"] else {
            throw .failed("the service answered without steps")
        }
        var isStopped = false
        for step in steps {
            let texts = ["state", "step", "detail"].map { key in
                if case .string(let text)? = step[key] { text } else { "" }
            }
            if texts[0] == "failed" { isStopped = true }
            if !context.isJSON { context.console.print(texts.joined(separator: "\t")) }
        }
        if context.isJSON { try context.console.printJSON(answer) }
        return isStopped ? .failed : .done
    }
}
