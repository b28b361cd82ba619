package import APNs

/// What the gateway knows about device tokens: the seam between validation and the device registry.
package protocol TokenDirectory {
    /// Judges a token for a push that is correct in every other way.
    func verdict(
        for token: DeviceToken, topic: Topic, environment: Environment, nowMilliseconds: Int64
    ) -> TokenVerdict
}
