internal import PushStore

/// `belfry key remove`.
enum KeyRemoveVerb: Verb {
    static let declaration = VerbDeclaration(
        words: ["key", "remove"],
        summary: "take a credential for APNs away from an app",
        options: [KeyAddVerb.app.spec] + StoreOptions.all,
        operands: OperandSpec(
            name: "NUMBER", help: "The credential's number, as 'belfry key list' shows it.", countMin: 1,
            countMax: 1),
        examples: [.init(purpose: "the first one", command: "belfry key remove --app news 1")])

    static func run(
        _ options: ParsedOptions, in context: CommandContext
    ) async throws(CommandError) -> CommandStatus {
        guard let id = options[KeyAddVerb.app] else { throw .usage("needs --app ID") }
        guard let number = Int64(options.operands[0]) else {
            throw .usage("NUMBER: found '\(options.operands[0])'; allowed: a whole number")
        }
        try await StoreOptions.with(options) { store in
            let app = try await StoreOptions.app(id, in: store)
            try await store.removeCredential(number: number, app: app.number)
            try await StoreOptions.record(
                "credential.remove", "\(number)", app: app.number, in: store, context)
        }
        if context.isJSON {
            try context.console.printJSON(["removed": number])
        } else {
            context.console.print("credential \(number) is removed")
        }
        return .done
    }
}
