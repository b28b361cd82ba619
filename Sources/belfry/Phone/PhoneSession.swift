#if canImport(VirtualPhone)
internal import Foundation
internal import Recurrence
internal import VirtualPhone

/// One run of `belfry phone`.
struct PhoneSession: Sendable {
    private static let phoneID = "1"

    private let options: ParsedOptions
    private let context: CommandContext
    private let phone: VirtualPhone
    private let topics: [String]

    init(_ options: ParsedOptions, _ context: CommandContext) throws(PhoneError) {
        self.options = options
        self.context = context
        topics =
            options[PhoneVerb.topic].isEmpty
            ? [SampleApp.manifest.bundleIdentifier] : options[PhoneVerb.topic]
        let zoneName = options[PhoneVerb.zone] ?? TimeZone.current.identifier
        let permission: PermissionAnswer =
            switch options[PhoneVerb.permission] {
            case "deny": .deny
            case "wait": .wait
            default: .allow
            }
        if let time = options[PhoneVerb.at] {
            phone = try VirtualPhone(
                at: time, zone: zoneName, name: options[PhoneVerb.name],
                language: options[PhoneVerb.language],
                permission: permission)
        } else {
            let zone: Zone
            do {
                zone = try Zone(zoneName)
            } catch {
                throw PhoneError(.value, "zone: \(error.message)")
            }
            phone = VirtualPhone(
                name: options[PhoneVerb.name], now: Instant(secondsSince1970: context.now()), zone: zone,
                language: options[PhoneVerb.language], isClockRunning: true, permission: permission)
        }
    }

    func run() async throws(PhoneError) -> CommandStatus {
        print()
        let link = options[PhoneVerb.control].map { GatewayLink(control: $0, name: options[PhoneVerb.name]) }
        if let link { try await phone.connect(link) }
        for topic in topics {
            try await phone.install(SampleApp.described(topic: topic)) { SampleApp() }
            try await phone.open(topic)
        }
        var server: PhoneServer?
        if let port = options[PhoneVerb.port] {
            let made = PhoneServer(port: UInt16(port))
            made.phones.add(phone, id: Self.phoneID)
            try made.start()
            server = made
        }
        context.stop.expect()
        try ready(link, server)
        let clock = Task { [phone] in if phone.state.isClockRunning { await phone.run() } }
        let hasFailed = await work()
        clock.cancel()
        await server?.stop()
        await phone.disconnect()
        return hasFailed ? .failed : .done
    }

    /// Prints what happens, from now on.
    private func print() {
        let (console, isJSON) = (context.console, context.isJSON)
        let isVerbose = options[CommonOptions.verbose]
        _ = phone.listen { entry in
            if isJSON {
                // An entry has nothing that cannot be written.
                try? console.printJSON(entry)
            } else if let line = PhoneReport.line(entry, isVerbose: isVerbose) {
                console.print(line)
            }
        }
    }

    private func ready(_ link: GatewayLink?, _ server: PhoneServer?) throws(PhoneError) {
        let state = phone.state
        var tokens: [String: String] = [:]
        for app in state.apps { tokens[app.bundleIdentifier] = app.token }
        let ready = PhoneReport.Ready(
            phone: state.name, zone: state.zone, topics: topics, tokens: tokens, device: link?.deviceID,
            http: server?.url)
        guard context.isJSON else { return context.console.print(ready.text) }
        // As above.
        try? context.console.printJSON(["ready": ready])
    }

    /// Delivers files and does what is told; returns whether something failed.
    private func work() async -> Bool {
        var hasFailed = false
        for file in options[PhoneVerb.push] where await !push(file) { hasFailed = true }
        guard !options[PhoneVerb.once] else { return await listen() || hasFailed }
        let listening = Task { await listen() }
        // `exit` ends as a signal does.
        let ended = Task { [context] in
            if await listening.value { context.log.debug("standard input has ended") }
        }
        await context.stop.wait()
        listening.cancel()
        ended.cancel()
        return hasFailed
    }

    private func push(_ file: String) async -> Bool {
        do {
            try await phone.push(
                file: InputFile.read(file, byteCountMax: 1 << 20), to: topics.count == 1 ? topics[0] : nil)
            return true
        } catch let error as PhoneError {
            context.console.printError("belfry: \(file): \(error.message)")
        } catch let error as CommandError {
            context.console.printError("belfry: \(error.message)")
        } catch {
            context.console.printError("belfry: \(file): \(error)")
        }
        return false
    }

    /// Does what standard input says, to its end; returns whether something failed.
    private func listen() async -> Bool {
        var hasFailed = false
        for await line in InputLines.standardInput() {
            let command = line.trimmingCharacters(in: .whitespaces)
            if command.isEmpty || command.hasPrefix("#") { continue }
            if command == "exit" {
                _ = context.stop.received(SIGTERM)
                break
            }
            if command == "show" {
                show()
                continue
            }
            do throws(PhoneError) {
                if command.hasPrefix("push ") {
                    guard await push(String(command.dropFirst(5))) else {
                        hasFailed = true
                        continue
                    }
                } else {
                    try await phone.perform(PhoneAction(line: command))
                }
            } catch {
                hasFailed = true
                context.console.printError("belfry: \(error.message)")
            }
        }
        return hasFailed
    }

    private func show() {
        let state = phone.state
        if context.isJSON {
            // As above.
            try? context.console.printJSON(["screen": state])
        } else {
            context.console.print(PhoneReport.screen(state))
        }
    }
}
#endif
