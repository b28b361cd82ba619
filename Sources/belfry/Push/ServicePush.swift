internal import APNs

/// `belfry push --service`: the options as a request to a push service.
enum ServicePush {
    static let channel = Option.repeated(
        "channel", .text("NAME"), "With --service: installations in this channel; any of several.")
    static let condition = Option.optional(
        "where", .text("JSON"), "With --service: installations that this condition holds for.")
    static let everybody = Option.flag("everybody", "With --service: all installations of the app.")
    static let isDryRun = Option.flag(
        "dry-run", "With --service: say who would get it and what is wrong with it; send nothing.")

    static let all = ServiceClient.all + [channel.spec, condition.spec, everybody.spec, isDryRun.spec]

    static func run(
        _ options: ParsedOptions, in context: CommandContext
    ) async throws(CommandError) -> CommandStatus {
        var members: [String: JSONValue] = ["data": try data(options)]
        let tokens =
            options.operands.isEmpty && options[PushVerb.tokens] == nil
            ? [] : try TokenList.read(options.operands, file: options[PushVerb.tokens])
        members["topic"] = options[HeaderOptions.topic].map(JSONValue.string)
        if options.isGiven(EndpointOptions.environment) {
            members["prod"] = options[EndpointOptions.environment] == .production ? "prod" : "dev"
        }
        switch options[HeaderOptions.expiration]?.expiration(at: context.now()) {
        case .at(let seconds)?: members["expiration_interval"] = .integer(max(1, seconds - context.now()))
        case .never?: throw .usage("--expiration: 'never' is not possible with --service")
        case .unspecified?, nil: break
        }
        if options[isDryRun] { members["dry_run"] = true }
        var path = "/1.1/push"
        if tokens.isEmpty {
            try addAudience(&members, options)
        } else {
            path = "/1.1/push/devices"
            members["device_type"] = "ios"
            members["device_ids"] = .array(tokens.map { .string($0.hexString) })
        }
        let answer = try await ServiceClient(options).call("POST", path, .object(members))
        try print(answer, options, context)
        return .done
    }

    private static func addAudience(
        _ members: inout [String: JSONValue], _ options: ParsedOptions
    ) throws(CommandError) {
        let channels = options[channel]
        guard !channels.isEmpty || options[condition] != nil || options[everybody] else {
            throw .usage("needs an audience: TOKEN, --channel, --where or --everybody")
        }
        if !channels.isEmpty { members["channels"] = .array(channels.map(JSONValue.string)) }
        guard let text = options[condition] else { return }
        do throws(APNsError) {
            members["where"] = try JSONValue(parsing: text)
        } catch {
            throw .usage("--where: \(error.message)")
        }
    }

    /// What is shown, in Apple's own form; headers go beside it as LeanCloud names them.
    private static func data(_ options: ParsedOptions) throws(CommandError) -> JSONValue {
        guard case .object(var data)? = try? JSONValue(parsing: PushRequest.payload(options)) else {
            // PushRequest's own error says what is wrong with it.
            _ = try PushRequest.payload(options)
            throw .usage("--payload: a JSON object is needed")
        }
        data["apns-push-type"] = options[HeaderOptions.pushType].map { .string($0.rawValue) }
        data["apns-priority"] = options[HeaderOptions.priority].flatMap { Int64($0) }.map(JSONValue.integer)
        data["collapse-id"] = options[HeaderOptions.collapseID].map(JSONValue.string)
        return .object(data)
    }

    private static func print(
        _ answer: JSONValue, _ options: ParsedOptions, _ context: CommandContext
    ) throws(CommandError) {
        if context.isJSON {
            try context.console.printJSON(answer)
            return
        }
        guard options[isDryRun] else {
            if case .string(let id)? = answer["objectId"] { context.console.print("accepted \(id)") }
            return
        }
        if case .integer(let count)? = answer["devices"] { context.console.print("\(count) devices") }
        guard case .array(let findings)? = answer["findings"] else { return }
        for finding in findings {
            let texts = ["severity", "key", "message"].map { key in
                if case .string(let text)? = finding[key] { text } else { "" }
            }
            context.console.print(texts.joined(separator: " "))
        }
    }
}
