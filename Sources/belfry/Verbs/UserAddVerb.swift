internal import PushConsole
internal import PushStore
internal import Recurrence

/// `belfry user add`.
enum UserAddVerb: Verb {
    static let role = Option.value(
        "role", ValueKind<ConsoleUser.Role>.choice("ROLE"), default: .viewer, defaultText: "viewer",
        "What the user may do: a viewer looks, a sender sends too, an owner changes apps, keys and users too."
    )
    static let passwordFile = Option.value(
        "password-file", .path("FILE"), default: "-",
        "Where the password stands, on the first line; '-' is standard input.")
    static let replace = Option.flag(
        "replace", "Give an existing user this role and password; it is signed out everywhere.")

    static let declaration = VerbDeclaration(
        words: ["user", "add"],
        summary: "add a user of the console in the browser",
        discussion: """
            The password is kept as a slow hash (scrypt). Works while the service runs.
            """,
        options: [role.spec, passwordFile.spec, replace.spec] + StoreOptions.all,
        operands: OperandSpec(name: "NAME", help: "What the user signs in with.", countMin: 1, countMax: 1),
        examples: [
            .init(
                purpose: "the administrator, with a password from a file",
                command: "belfry user add admin --role owner --password-file password.txt")
        ])

    static func run(
        _ options: ParsedOptions, in context: CommandContext
    ) async throws(CommandError) -> CommandStatus {
        let password = try PasswordInput.read(options[passwordFile], console: context.console)
        if let fault = PasswordHash.fault(of: password) { throw .usage(fault) }
        let user = ConsoleUser(
            name: options.operands[0], role: options[role], passwordHash: await PasswordHash.make(password),
            createdAt: context.instant)
        try await StoreOptions.with(options, for: .beginning) { store in
            if options[replace], try await store.consoleUser(name: user.name) != nil {
                try await store.updateConsoleUser(user)
                try await StoreOptions.record(
                    "console.user.change", "\(user.name), \(user.role.rawValue)", app: nil, in: store, context
                )
            } else {
                try await store.addConsoleUser(user, onlyFirst: false)
                try await StoreOptions.record(
                    "console.user.add", "\(user.name), \(user.role.rawValue)", app: nil, in: store, context)
            }
        }
        if context.isJSON {
            try context.console.printJSON(["name": user.name, "role": user.role.rawValue])
        } else {
            context.console.print("\(user.name) is \(user.role.rawValue)")
        }
        return .done
    }
}
