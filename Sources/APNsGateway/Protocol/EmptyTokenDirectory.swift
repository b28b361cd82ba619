package import APNs

/// A directory without devices: what an open gateway without a registry uses, and benchmarks.
package struct EmptyTokenDirectory: TokenDirectory, Sendable {
    /// Makes the directory.
    package init() {}

    /// Always unknown.
    package func verdict(
        for token: DeviceToken, topic: Topic, environment: Environment, nowMilliseconds: Int64
    ) -> TokenVerdict { .unknown }
}
