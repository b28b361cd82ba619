internal import APNs

/// What `belfry push` sends to each device, from its options.
struct PushRequest: Sendable {
    var topic: Topic
    var payload: [UInt8]
    var pushType: PushType
    var priority: Priority?
    var expiration: Expiration
    var collapseID: CollapseID?
    var id: NotificationID?

    /// Reads and checks the options.
    init(_ options: ParsedOptions, now: Int64) throws(CommandError) {
        guard let topicText = options[HeaderOptions.topic] else {
            throw .usage("needs --topic: the app's bundle id")
        }
        pushType = options[HeaderOptions.pushType] ?? .alert
        payload = try Self.payload(options)
        expiration = options[HeaderOptions.expiration]?.expiration(at: now) ?? .unspecified
        priority = options[HeaderOptions.priority].flatMap { Int($0) }.flatMap { Priority(rawValue: $0) }
        // Apple: a background push of another priority is an error.
        if priority == nil, pushType == .background { priority = .normal }
        do throws(APNsError) {
            topic = try Topic(topicText)
            collapseID = try options[HeaderOptions.collapseID].map { text throws(APNsError) in
                try CollapseID(text)
            }
        } catch {
            throw .usage(error.message)
        }
        id = try options[HeaderOptions.id].map { text throws(CommandError) in
            guard let id = NotificationID(text) else {
                throw .usage("--id: found '\(text.prefix(40))'; allowed: a UUID of 32 digits in five groups")
            }
            return id
        }
    }

    /// The notification for one device.
    func notification(to token: DeviceToken) -> Notification {
        Notification(
            token: token, topic: topic, payload: payload, pushType: pushType, priority: priority,
            expiration: expiration, collapseID: collapseID, id: id)
    }

    /// The payload that the options make.
    static func payload(_ options: ParsedOptions) throws(CommandError) -> [UInt8] {
        if let path = options[PushVerb.payload] {
            let bytes = try InputFile.read(path)
            do throws(APNsError) {
                return try Payload.raw(bytes)
            } catch {
                throw .usage("--payload \(path): \(error.message)")
            }
        }
        var payload = Payload()
        let title = options[PushVerb.title]
        let subtitle = options[PushVerb.subtitle]
        let body = options[PushVerb.body]
        if title != nil || subtitle != nil || body != nil {
            payload.alert = .content(title: title, subtitle: subtitle, body: body)
        }
        payload.badge = options[PushVerb.badge]
        payload.sound = options[PushVerb.sound].map { .named($0) }
        payload.category = options[PushVerb.category]
        payload.threadID = options[PushVerb.thread]
        payload.contentAvailable = options[HeaderOptions.pushType] == .background
        guard payload != Payload() else {
            throw .usage("needs something to send: --title, --body, --badge or --payload FILE")
        }
        do throws(APNsError) {
            return try payload.encoded()
        } catch {
            throw .usage(error.message)
        }
    }
}
