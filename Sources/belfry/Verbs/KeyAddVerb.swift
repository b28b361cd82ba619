internal import APNs
internal import PushService
internal import PushStore
internal import Recurrence

/// `belfry key add`.
enum KeyAddVerb: Verb {
    /// Which environments a credential is for.
    enum Environments: String, CaseIterable, Sendable {
        case production, sandbox, both

        var all: Set<Environment> {
            switch self {
            case .production: [.production]
            case .sandbox: [.sandbox]
            case .both: [.production, .sandbox]
            }
        }
    }

    static let app = Option.optional("app", short: "a", .text("ID"), "The app's id.")
    static let p8 = Option.optional("p8", .path("FILE"), "The .p8 signing key from Apple, or the gateway's.")
    static let keyID = CredentialOptions.keyID
    static let teamID = CredentialOptions.teamID
    static let p12 = Option.optional("p12", .path("FILE"), "A certificate with its private key, as PKCS#12.")
    static let pem = Option.optional("pem", .path("FILE"), "A certificate with its private key, as PEM.")
    static let password = CredentialOptions.password
    static let environment = Option.optional(
        "environment", short: "e", ValueKind<Environments>.choice("NAME"),
        defaultText: "both for a key, what it allows for a certificate", "Where it is used.")
    static let profile = Option.optional(
        "profile", .text("NAME"), "Use it only for installations and pushes with this deviceProfile.")
    static let noCheck = Option.flag("no-check", "Do not ask APNs.")
    static let force = Option.flag("force", "Store it even if APNs refuses it.")

    static let declaration = VerbDeclaration(
        words: ["key", "add"],
        summary: "give an app a credential for APNs",
        discussion: """
            Reads the file, signs with it, and asks APNs with a push to a made-up device token: the answer \
            BadDeviceToken means that APNs knows the credential. A refused one is not stored. When APNs cannot be \
            reached the credential is stored with a warning; 'belfry key check' asks again.
            """,
        options: [
            app.spec, p8.spec, keyID.spec, teamID.spec, p12.spec, pem.spec, password.spec, environment.spec,
            profile.spec, noCheck.spec, force.spec,
        ] + ProbeOptions.all + StoreOptions.all,
        examples: [
            .init(
                purpose: "a signing key for both environments",
                command: "belfry key add --app news --p8 AuthKey_ABC123DEFG.p8 --key-id ABC123DEFG"
                    + " --team-id DEF123GHIJ --environment both"),
            .init(
                purpose: "a gateway's key",
                command:
                    "belfry key add --app news --p8 belfry-data/AuthKey_B3LFRY0001.p8 --team-id B3LFRYTEAM"
                    + " --apns https://localhost:2197 --apns-sandbox https://localhost:2198"
                    + " --apns-ca belfry-data/ca.pem"),
        ])

    static func run(
        _ options: ParsedOptions, in context: CommandContext
    ) async throws(CommandError) -> CommandStatus {
        guard let appID = options[app] else { throw .usage("needs --app ID") }
        let read = try credential(options, now: context.instant)
        let probe = options[noCheck] ? nil : try ProbeOptions.probe(options)
        let report = try await StoreOptions.with(options) { store -> CredentialReport? in
            let app = try await StoreOptions.app(appID, in: store)
            var credential = read
            if let probe {
                let verdicts = try await probe.check(credential, topic: app.topic)
                let check = verdicts.stored(atMilliseconds: context.instant.millisecondsSince1970)
                credential.check = check
                if verdicts.isRefused, !options[force] {
                    context.console.printError(
                        "belfry: key add: APNs refuses the credential: \(check.message)")
                    return nil
                }
                if !check.isGood { context.log.warning("not checked", ["answer": check.message]) }
            }
            credential.number = try await store.addCredential(credential, app: app.number)
            try await StoreOptions.record(
                "credential.add", "\(credential.number)", app: app.number, in: store, context)
            return CredentialReport(credential)
        }
        guard let report else { return .failed }
        if context.isJSON {
            try context.console.printJSON(report)
        } else {
            context.console.print(report.text)
        }
        return .done
    }

    private static func credential(
        _ options: ParsedOptions, now: Instant
    ) throws(CommandError) -> PushCredential {
        let files = [options[p8], options[p12], options[pem]].compactMap { $0 }
        guard files.count == 1 else {
            throw .usage("needs one of --p8 FILE, --p12 FILE and --pem FILE; found \(files.count)")
        }
        let bytes = try InputFile.read(files[0])
        do throws(CredentialError) {
            guard options[p8] != nil else {
                return try PushCredential(
                    certificateFile: bytes, password: options[password],
                    environments: options[environment]?.all,
                    deviceProfile: options[profile], now: now)
            }
            let named = files[0].split(separator: "/").last?.wholeMatch(of: /AuthKey_([A-Za-z0-9]{10})\.p8/)
            guard let keyID = options[keyID] ?? named.map({ String($0.1) }), let teamID = options[teamID]
            else {
                throw CredentialError("a key needs --key-id (or the name AuthKey_<id>.p8) and --team-id")
            }
            return try PushCredential(
                p8: bytes, keyID: keyID, teamID: teamID,
                environments: (options[environment] ?? .both).all, deviceProfile: options[profile], now: now)
        } catch {
            throw .usage("\(files[0]): \(error.message)")
        }
    }
}
