#if canImport(VirtualPhone)
internal import Foundation
internal import Recurrence
internal import VirtualPhone

/// `belfry phone`.
enum PhoneVerb: Verb {
    static let control = Option.optional(
        "control", short: "c", .text("URL"),
        "The control API of a running gateway; without it nothing comes from outside, and device tokens are made up."
    )
    static let topic = Option.repeated(
        "topic", short: "t", .text("TOPIC"),
        "The bundle identifier of the app on the phone (com.example.App); again for further ones.")
    static let name = Option.value("name", .text("NAME"), default: "iPhone", "What the phone is called.")
    static let zone = Option.optional(
        "zone", short: "z", .text("ZONE"),
        "The time zone it is in, such as Asia/Shanghai; by default this machine's.")
    static let language = Option.value(
        "language", .text("LANGUAGE"), default: "en", "The language it is set to, such as zh-Hans.")
    static let at = Option.optional(
        "at", .text("TIME"),
        "What its clock shows, such as 2027-03-01T08:00. The clock then stands until it is moved; by default it runs "
            + "with this machine's.")
    static let permission = Option.value(
        "permission", .choice("ANSWER", ["allow", "deny", "wait"]), default: "allow",
        "What the user answers to the app that asks whether it may notify; wait leaves the question on the screen."
    )
    static let push = Option.repeated(
        "push", .path("FILE"), "Delivers an .apns file as soon as the phone is ready; '-' is standard input.")
    static let port = Option.optional(
        "port", short: "p", .port,
        "Serves the phone's page, JSON and server-sent events on this port; 0 takes a free one.")
    static let once = Option.flag(
        "once", "Ends when the files are delivered and standard input is at its end.")

    static let declaration = VerbDeclaration(
        words: ["phone"],
        summary: "run a simulated iPhone that shows what is sent to it",
        discussion: """
            The phone registers its app with a gateway, prints what it shows, and does what it is told on \
            standard input: tap 1, act 1 read, reply 1 on my way, dismiss 1, clear, lock, unlock, open, home, \
            quit, terminate, reinstall, reboot, airplane on, power on, mute on, focus on, settings off, \
            settings banners off, zone Europe/Paris, language zh-Hans, advance 2h, advance 09:00, allow, deny; \
            show prints the screen, exit ends. A number is that of a notification; without one it is the newest.

            Pushes of the category message have the buttons reply and read. With --port it is seen and touched \
            at /phone in a browser, and a script reads GET /phones/1 and GET /phones/1/events, and acts with POST \
            /phones/1/actions.
            """,
        options: [
            control.spec, topic.spec, name.spec, zone.spec, language.spec, at.spec, permission.spec,
            push.spec,
            port.spec, once.spec,
        ],
        examples: [
            .init(
                purpose: "a phone in Shanghai, linked to the gateway of this machine",
                command: "belfry phone --control http://localhost:8079 --zone Asia/Shanghai"),
            .init(
                purpose: "what an .apns file looks like on a phone, without a gateway",
                command: "belfry phone --once --push hello.apns < /dev/null"),
        ])

    static func run(
        _ options: ParsedOptions, in context: CommandContext
    ) async throws(CommandError) -> CommandStatus {
        do throws(PhoneError) {
            return try await PhoneSession(options, context).run()
        } catch {
            throw error.code == .link ? .unavailable(error.message) : .failed(error.message)
        }
    }
}
#endif
