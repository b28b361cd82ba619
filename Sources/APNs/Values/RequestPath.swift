/// The paths of the provider API.
///
/// From Apple: Sending notification requests to APNs; Sending channel management requests to APNs; Sending
/// broadcast push notification requests to APNs.
public enum RequestPath {
    /// What a device token's hexadecimal digits follow.
    public static let devicePrefix = "/3/device/"

    /// The path for making, reading and deleting an app's channels.
    public static func channels(bundleID: Topic) -> String { "/1/apps/\(bundleID.rawValue)/channels" }

    /// The path for listing an app's channels.
    public static func allChannels(bundleID: Topic) -> String { "/1/apps/\(bundleID.rawValue)/all-channels" }

    /// The path for publishing on one of an app's channels.
    public static func broadcasts(bundleID: Topic) -> String { "/4/broadcasts/apps/\(bundleID.rawValue)" }
}
