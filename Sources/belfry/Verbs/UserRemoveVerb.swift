internal import PushStore

/// `belfry user remove`.
enum UserRemoveVerb: Verb {
    static let declaration = VerbDeclaration(
        words: ["user", "remove"],
        summary: "remove a user of the console",
        discussion: "The user is signed out everywhere. The last owner cannot be removed.",
        options: StoreOptions.all,
        operands: OperandSpec(name: "NAME", help: "The user's name.", countMin: 1, countMax: 1),
        examples: [.init(purpose: "somebody who left", command: "belfry user remove alice")])

    static func run(
        _ options: ParsedOptions, in context: CommandContext
    ) async throws(CommandError) -> CommandStatus {
        let name = options.operands[0]
        try await StoreOptions.with(options) { store in
            guard try await store.removeConsoleUser(name: name) else {
                throw CommandError.failed("there is no user '\(name)': belfry user list shows all")
            }
            try await StoreOptions.record("console.user.remove", name, app: nil, in: store, context)
        }
        if context.isJSON {
            try context.console.printJSON(["removed": name])
        } else {
            context.console.print("\(name) is removed")
        }
        return .done
    }
}
