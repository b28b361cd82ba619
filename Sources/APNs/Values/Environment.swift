/// One of the two APNs services; device tokens of one are unknown to the other.
///
/// Hosts from Apple: Sending notification requests to APNs; Sending channel management requests to APNs.
public enum Environment: String, CaseIterable, Hashable, Sendable {
    /// Apps from the App Store, TestFlight and ad-hoc builds.
    case production
    /// Apps run from Xcode (entitlement aps-environment is development).
    case sandbox

    /// The host for pushes to devices, on ports 443 and 2197.
    public var host: String {
        switch self {
        case .production: "api.push.apple.com"
        case .sandbox: "api.sandbox.push.apple.com"
        }
    }

    /// The host for making, reading, listing and deleting broadcast channels.
    public var channelManagementHost: String {
        switch self {
        case .production: "api-manage-broadcast.push.apple.com"
        case .sandbox: "api-manage-broadcast.sandbox.push.apple.com"
        }
    }

    /// The port of the channel management host.
    public var channelManagementPort: Int {
        switch self {
        case .production: 2196
        case .sandbox: 2195
        }
    }
}
