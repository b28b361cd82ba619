/// What a broadcast channel is made with: the JSON body of its creation, and the answer to reading it.
///
/// From Apple: Sending channel management requests to APNs.
public struct ChannelConfiguration: Hashable, Sendable {
    /// The only push type channels have, as Apple spells it here.
    public static let pushTypeText = "LiveActivity"

    /// What the channel keeps.
    public var storagePolicy: MessageStoragePolicy

    /// Makes a configuration.
    public init(storagePolicy: MessageStoragePolicy) {
        self.storagePolicy = storagePolicy
    }

    /// The JSON body.
    public var encoded: [UInt8] {
        var object = JSONObjectWriter()
        object.add("message-storage-policy", Int64(storagePolicy.rawValue))
        object.add("push-type", ChannelConfiguration.pushTypeText)
        return object.finished()
    }

    /// What reading a body came to.
    public enum Reading: Hashable, Sendable {
        /// A configuration.
        case accepted(ChannelConfiguration)
        /// The reason APNs would give.
        case refused(Reason)
    }

    /// Reads a body as APNs does.
    ///
    /// The policy may be a numeric string and the push type in any case, as clients in use send them.
    public static func read(json body: [UInt8]) -> Reading {
        guard let value = try? JSONValue(parsing: body), case .object(let members) = value else {
            return .refused(.badRequestPayload)
        }
        if members.keys.contains(where: { $0 != "message-storage-policy" && $0 != "push-type" }) {
            return .refused(.badRequestParams)
        }
        guard let pushType = members["push-type"] else { return .refused(.missingPushType) }
        guard case .string(let text) = pushType, PushType(ignoringCase: text) == .liveactivity else {
            return .refused(.invalidPushType)
        }
        let number: Int? =
            switch members["message-storage-policy"] {
            case .integer(let integer): Int(exactly: integer)
            case .string(let text): Int(text)
            default: nil
            }
        guard let policy = number.flatMap(MessageStoragePolicy.init(rawValue:)) else {
            return .refused(.missingChannelQueueSize)
        }
        return .accepted(ChannelConfiguration(storagePolicy: policy))
    }
}
