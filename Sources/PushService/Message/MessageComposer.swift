internal import APNs
public import PushStore

/// Makes a message's notifications, one device after another.
///
/// Every payload that can be shared is encoded when the composer is made: one for each platform and language.
/// What is left for each device is to choose one and, where the message asks for it, to put in the badge and the
/// values of variables. A value with caches of its own: each sender keeps its copy.
public struct MessageComposer: Sendable {
    /// The message.
    public let message: Message
    /// What it was made with.
    public let context: MessageContext
    /// Whether devices' attributes have to be read.
    public let needsAttributes: Bool
    /// Whether devices' languages matter.
    public let needsLocale: Bool
    /// Whether each device gets a badge number of its own.
    public let needsBadge: Bool

    /// One for each form of the message.
    private(set) var platforms: [Platform]
    private var addresses: [AddressKey: Address] = [:]

    /// The payloads of one form.
    struct Platform: Sendable {
        let form: MessageForm
        let languages: [LanguageTag]
        /// The first one for devices without a language of the message, then one for each language.
        let variants: [MessageVariant]
        let pushType: PushType
        let payloadByteCountMax: Int
        let collapseID: CollapseID?
        /// Where devices without a topic of their own are sent.
        let address: Address
        /// Which variant a device's language gets.
        var variantIndices: [String: Int] = [:]
    }

    /// Headers that depend on the topic.
    struct Address: Sendable {
        let topic: Topic?
        let pushType: PushType
        let priority: Priority?
    }

    private struct AddressKey: Hashable, Sendable {
        let platform: Int
        let topic: String
    }

    /// The most languages and topics of devices that are remembered; more are worked out again each time.
    private static let cacheCountMax = 1024

    /// Encodes a message's payloads.
    ///
    /// - Throws: code 116 for a payload larger than APNs takes, 1 for one that cannot be encoded or a topic that
    ///   becomes too long.
    public init(_ message: Message, context: MessageContext) throws(ChangeError) {
        self.message = message
        self.context = context
        var platforms: [Platform] = []
        for form in message.forms {
            platforms.append(try Platform(form, context: context))
        }
        self.platforms = platforms
        let contents = platforms.flatMap(\.variants).flatMap(\.template.holes).map(\.content)
        let variables = contents.compactMap { if case .variable(let variable) = $0 { variable } else { nil } }
        needsAttributes = variables.contains(where: \.needsAttributes)
        needsLocale =
            platforms.contains { $0.variants.count > 1 } || variables.contains { $0.source == .locale }
        needsBadge = message.badgeIncrement != nil
    }

    /// Composes what a device is sent.
    ///
    /// - Parameters:
    ///   - installation: the device; its attributes are read only when ``needsAttributes`` says so.
    ///   - badge: the number for its icon, when the message raises badges.
    public mutating func compose(for installation: SendableInstallation, badge: Int64) -> Composition {
        let index =
            platforms.count == 1 ? 0 : installation.deviceType.flatMap { message.formIndices[$0] } ?? 0
        let address = address(platform: index, topic: installation.apnsTopic)
        guard let topic = address.topic else { return .invalidTopic }
        let variant =
            platforms[index].languages.isEmpty
            ? 0 : variantIndex(platform: index, locale: installation.locale)
        var payload: [UInt8]
        if platforms[index].variants[variant].template.isConstant {
            payload = platforms[index].variants[variant].template.bytes
        } else {
            payload = platforms[index].variants[variant].template.rendered(for: installation, badge: badge)
        }
        if !platforms[index].variants[variant].isAlwaysSmall {
            let limit = address.pushType.payloadByteCountMax
            if payload.count > limit {
                guard let shorter = Self.shortened(payload, toByteCount: limit) else {
                    return .tooLarge(byteCount: payload.count)
                }
                payload = shorter
            }
        }
        return .composed(
            ComposedMessage(
                payload: payload, topic: topic, pushType: address.pushType, priority: address.priority,
                expiration: context.expiration, collapseID: platforms[index].collapseID))
    }

    /// Cuts the body between two characters as readers see them; nil when that is not enough.
    private static func shortened(_ payload: [UInt8], toByteCount limit: Int) -> [UInt8]? {
        try? Payload(parsing: payload).shortened(toByteCount: limit).bytes
    }

    // MARK: - Languages

    private mutating func variantIndex(platform: Int, locale: String?) -> Int {
        guard let locale else { return 0 }
        if let index = platforms[platform].variantIndices[locale] { return index }
        let languages = platforms[platform].languages
        let tag = LanguageTag(locale)?.chain(among: languages).first
        let index = tag.flatMap(languages.firstIndex).map { $0 + 1 } ?? 0
        if platforms[platform].variantIndices.count < Self.cacheCountMax {
            platforms[platform].variantIndices[locale] = index
        }
        return index
    }

    // MARK: - Topics

    private mutating func address(platform: Int, topic: String?) -> Address {
        guard context.topicOverride == nil, let topic else { return platforms[platform].address }
        let key = AddressKey(platform: platform, topic: topic)
        if let address = addresses[key] { return address }
        let address = Address((try? Topic(topic)), form: platforms[platform].form)
        if addresses.count < Self.cacheCountMax { addresses[key] = address }
        return address
    }

    // MARK: - Broadcast

    /// The message for the channel it names; nil when it names none.
    ///
    /// - Throws: code 1 when it is nothing that can be broadcast: Apple allows updates and ends of Live Activities,
    ///   the same for everybody. 116 when it is larger than 5 KB.
    public func broadcast() throws(ChangeError) -> BroadcastMessage? {
        guard let platform = platforms.first(where: { $0.form.channel != nil }),
            let channel = platform.form.channel, let variant = platform.variants.first
        else { return nil }
        let path = "\(platform.form.path).apns-channel-id"
        guard platform.pushType == .liveactivity, platform.form.aps["event"] != "start" else {
            throw ChangeError(code: 1, "\(path): only updates and ends of Live Activities can be broadcast")
        }
        guard variant.template.isConstant else {
            throw ChangeError(code: 1, "\(path): a broadcast has no variables and does not raise badges")
        }
        let topic = context.topicOverride ?? context.topic
        return BroadcastMessage(
            payload: variant.template.bytes, channel: channel, bundleID: topic.bundleID,
            priority: platform.address.priority ?? .high, expiration: context.expiration)
    }
}

extension MessageComposer.Platform {
    fileprivate init(_ form: MessageForm, context: MessageContext) throws(ChangeError) {
        self.form = form
        languages = form.languages
        address = MessageComposer.Address(context.topicOverride ?? context.topic, form: form)
        guard address.topic != nil else {
            throw ChangeError(
                code: 1,
                "topic: with the suffix of \(address.pushType) it is longer than \(Topic.byteCountMax) bytes")
        }
        pushType = address.pushType
        payloadByteCountMax =
            form.channel == nil ? pushType.payloadByteCountMax : Payload.broadcastByteCountMax
        collapseID = form.collapseID ?? context.collapseID
        var variants = [
            try MessageVariant(form, language: nil, context: context, limit: payloadByteCountMax)
        ]
        for language in languages {
            variants.append(
                try MessageVariant(form, language: language, context: context, limit: payloadByteCountMax))
        }
        self.variants = variants
    }
}

extension MessageComposer.Address {
    /// The headers for a topic: with the push type's suffix added when it is missing.
    ///
    /// A topic that has a suffix belongs to tokens of that kind: it decides the push type when none is given.
    fileprivate init(_ topic: Topic?, form: MessageForm) {
        var pushType = form.effectivePushType
        var topic = topic
        if let whole = topic, !whole.fits(pushType) {
            if form.pushType == nil, !form.isLiveActivity, let suffixed = whole.suffixedPushType {
                pushType = suffixed
            } else if !pushType.topicSuffix.isEmpty {
                topic = try? Topic(bundleID: whole.bundleID, pushType: pushType)
            }
        }
        self.topic = topic
        self.pushType = pushType
        switch pushType {
        // APNs refuses 10 for background notifications.
        case .background: priority = .normal
        // A signal of Push to Talk is useless later (Apple, as quoted by client libraries).
        case .pushtotalk: priority = form.priority ?? .high
        default: priority = form.priority
        }
    }
}
