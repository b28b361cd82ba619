import FoundationEssentials

/// All broadcast channels of an app: the JSON answer to listing them.
///
/// From Apple: Sending channel management requests to APNs.
public struct ChannelList: Hashable, Sendable {
    /// The most channels an app may have in one environment.
    public static let channelCountMax = 10_000

    /// The channels, in the order of the answer.
    public var channels: [ChannelID]

    /// Makes a list.
    public init(channels: [ChannelID]) {
        self.channels = channels
    }

    /// Reads an answer; nil when it is not JSON with a list of channel identifiers.
    public init?(json body: [UInt8]) {
        guard let fields = try? JSONDecoder().decode(Fields.self, from: Data(body)) else { return nil }
        var channels: [ChannelID] = []
        for text in fields.channels {
            guard let channel = try? ChannelID(text) else { return nil }
            channels.append(channel)
        }
        self.init(channels: channels)
    }

    /// The JSON answer.
    public var encoded: [UInt8] {
        var object = JSONObjectWriter()
        object.add("channels", channels.map(\.rawValue))
        return object.finished()
    }

    private struct Fields: Decodable {
        let channels: [String]
    }
}
