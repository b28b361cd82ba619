package import APNs

/// The answer to a request about broadcast channels, beside its apns-request-id.
///
/// Statuses and bodies from Apple: Sending channel management requests to APNs.
package struct ChannelResponse: Hashable, Sendable {
    /// The HTTP status.
    package let status: Int
    /// The header apns-channel-id, after a channel was made.
    package let channel: ChannelID?
    /// The JSON body; nil for none.
    package let body: [UInt8]?

    /// 201: a channel was made.
    package static func created(_ channel: ChannelID) -> ChannelResponse {
        ChannelResponse(status: 201, channel: channel, body: nil)
    }

    /// 200: what a channel was made with.
    package static func configuration(_ configuration: ChannelConfiguration) -> ChannelResponse {
        ChannelResponse(status: 200, channel: nil, body: configuration.encoded)
    }

    /// 204: a channel is gone.
    package static let deleted = ChannelResponse(status: 204, channel: nil, body: nil)

    /// 200: all channels of an app.
    package static func list(_ channels: [ChannelID]) -> ChannelResponse {
        ChannelResponse(status: 200, channel: nil, body: ChannelList(channels: channels).encoded)
    }

    /// 200: a broadcast was accepted.
    package static let published = ChannelResponse(status: 200, channel: nil, body: nil)

    /// Any other status.
    package static func rejected(_ rejection: Rejection, bodies: RejectionBodies) -> ChannelResponse {
        ChannelResponse(status: rejection.status, channel: nil, body: bodies.body(of: rejection))
    }
}
