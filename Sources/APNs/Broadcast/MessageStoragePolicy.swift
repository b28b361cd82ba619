/// What a broadcast channel keeps for devices that are offline; fixed when the channel is made.
///
/// From Apple: Sending channel management requests to APNs.
public enum MessageStoragePolicy: Int, CaseIterable, Hashable, Sendable {
    /// Nothing; broadcasts need the expiration 0, and more of them are allowed.
    case noMessage = 0
    /// The latest broadcast, for at most eight hours.
    case mostRecentMessage = 1

    /// The longest time a broadcast is kept, in seconds: eight hours.
    public static let storageSecondsMax: Int64 = 8 * 60 * 60
}
