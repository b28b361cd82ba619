internal import APNs

/// The host names of Apple's services.
///
/// From Apple: Sending notification requests to APNs; Sending channel management requests to APNs. The last three are
/// names that Apple's samples and established clients use.
enum AppleHosts {
    static let all =
        Environment.allCases.flatMap { [$0.host, $0.channelManagementHost] } + [
            "api.development.push.apple.com", "api-broadcast.push.apple.com",
            "api-broadcast.sandbox.push.apple.com",
        ]
}
