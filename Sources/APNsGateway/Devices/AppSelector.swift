package import APNs

/// Names apps of a device: by bundle identifier, and by environment where that is not enough.
package struct AppSelector: Hashable, Sendable {
    /// The bundle identifier.
    package var bundleID: String
    /// The environment; nil means both.
    package var environment: Environment?

    /// Names an app.
    package init(bundleID: String, environment: Environment? = nil) {
        self.bundleID = bundleID
        self.environment = environment
    }

    func matches(_ app: InstalledApp) -> Bool {
        app.bundleID == bundleID && (environment == nil || app.environment == environment)
    }
}

extension DeviceRegistry {
    /// The indices of the named apps, or of all; at least one.
    func appIndices(_ device: Int, _ selector: AppSelector?) throws(GatewayError) -> [Int] {
        let indices = devices[device].apps.indices.filter {
            selector?.matches(devices[device].apps[$0]) ?? true
        }
        guard let selector, indices.isEmpty else { return indices }
        let found = devices[device].apps.map { "\($0.bundleID) (\($0.environment.rawValue))" }
        throw GatewayError(
            code: .appNotFound,
            message: "device \(devices[device].id) has no app \(selector.bundleID)"
                + (selector.environment.map { " in \($0.rawValue)" } ?? "")
                + ", found: \(found.joined(separator: ", "))",
            field: "topic")
    }
}
