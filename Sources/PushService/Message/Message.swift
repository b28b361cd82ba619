public import APNs
public import PushStore

/// What a push says: the `data` of a request, read once and checked.
///
/// The block of a platform takes the place of everything else for its devices. `ios` speaks for all of Apple's
/// platforms that have no block of their own; blocks of other makers are left out.
public struct Message: Sendable, Hashable {
    /// What is sent, by platform; the first one is for devices that are not named.
    let forms: [MessageForm]
    /// Which form a device type has, where it is not the first one.
    let formIndices: [String: Int]

    /// Platforms whose blocks are for their devices alone; Parse calls macOS `osx`.
    private static let ownBlocks = ["macos": "macos", "osx": "macos", "tvos": "tvos", "watchos": "watchos"]
    /// Keys that are blocks of platforms when their value is an object.
    private static let blocks: Set<String> = ["ios", "macos", "osx", "tvos", "watchos", "android", "wp"]

    /// Reads the `data` of a request.
    ///
    /// - Throws: code 107 when it is no object, 111 for a value of a wrong type, 1 for a value that is not allowed;
    ///   the message names the field.
    public init(data: JSONValue) throws(ChangeError) {
        guard case .object(let members) = data else {
            throw ChangeError(code: 107, "data: \(data.kind) was found, an object is needed")
        }
        try self.init(data: members)
    }

    /// Reads the `data` of a request; see the other initialiser.
    public init(data: [String: JSONValue]) throws(ChangeError) {
        var blocks: [String: [String: JSONValue]] = [:]
        var rest: [String: JSONValue] = [:]
        for (key, value) in data {
            if Self.blocks.contains(key), case .object(let block) = value {
                blocks[key] = block
            } else {
                rest[key] = value
            }
        }
        var forms = [
            try MessageParser(blocks["ios"] ?? rest, path: blocks["ios"] == nil ? "data" : "data.ios").form
        ]
        var formIndices: [String: Int] = [:]
        for (name, deviceType) in Self.ownBlocks.sorted(by: { $0.key < $1.key }) {
            guard let block = blocks[name], formIndices[deviceType] == nil else { continue }
            forms.append(try MessageParser(block, path: "data.\(name)").form)
            formIndices[deviceType] = forms.count - 1
            if deviceType == "macos" { formIndices["osx"] = forms.count - 1 }
        }
        self.forms = forms
        self.formIndices = formIndices
    }

    /// What it does to the badges of devices of a type.
    public func badgeChange(deviceType: String?) -> BadgeChange { form(deviceType: deviceType).badge }

    /// By how much badges are raised: on any platform, the largest step; nil when they are not raised.
    public var badgeIncrement: Int64? {
        forms.compactMap { if case .raise(let step) = $0.badge { step } else { nil } }.max()
    }

    /// The channel to publish on instead of sending to devices (`apns-channel-id`).
    public var broadcastChannel: ChannelID? { forms.compactMap(\.channel).first }

    /// The push type of a device type's notifications, as given or inferred.
    public func pushType(deviceType: String?) -> PushType { form(deviceType: deviceType).effectivePushType }

    private func form(deviceType: String?) -> MessageForm {
        forms[deviceType.flatMap { formIndices[$0] } ?? 0]
    }
}
