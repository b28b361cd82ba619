internal import Foundation

/// Which of Apple's two push services an app's device token belongs to.
public enum PushEnvironment: String, Sendable, Hashable, CaseIterable, Codable {
    /// Builds signed for development.
    case sandbox
    /// Builds from the store, TestFlight, and ad hoc or enterprise distribution.
    case production

    /// Reads the entitlement `aps-environment` of a provisioning profile.
    ///
    /// The profile is a property list inside a signed message (CMS), in which the list stands as plain text.
    /// - Parameter profile: the content of `embedded.mobileprovision`.
    /// - Returns: nil for a profile without the entitlement, or what is no profile.
    public init?(provisioningProfile profile: [UInt8]) {
        let profile = Data(profile)
        guard let start = profile.range(of: Data("<plist".utf8)),
            let end = profile.range(of: Data("</plist>".utf8), in: start.upperBound..<profile.endIndex),
            let list = try? PropertyListSerialization.propertyList(
                from: profile[start.lowerBound..<end.upperBound], format: nil),
            let members = list as? [String: Any],
            let entitlements = members["Entitlements"] as? [String: Any],
            let name =
                (entitlements["aps-environment"] ?? entitlements["com.apple.developer.aps-environment"])
                as? String
        else { return nil }
        switch name {
        case "development": self = .sandbox
        case "production": self = .production
        default: return nil
        }
    }
}
