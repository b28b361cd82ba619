package import APNs

/// What the gateway knows about broadcast channels: the seam between validation and their storage.
///
/// Channels of one environment are unknown in the other.
package protocol ChannelDirectory {
    /// Whether broadcasts are switched on for an app, in Apple's case in the developer portal.
    func isBroadcastEnabled(bundleID: String, environment: Environment) -> Bool
    /// How many channels an app has.
    func channelCount(bundleID: String, environment: Environment) -> Int
    /// What a channel was made with; nil when the app has no such channel.
    func configuration(
        of channel: ChannelID, bundleID: String, environment: Environment
    )
        -> ChannelConfiguration?
}
