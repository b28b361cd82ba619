package import APNs
package import APNsClient

/// Makes clients of APNs.
package protocol ClientMaker: Sendable {
    /// A client that sends notifications with a credential.
    func notificationClient(
        _ credential: Credential, _ environment: Environment
    ) throws -> any NotificationClient

    /// A client that publishes broadcasts with a credential.
    func broadcastClient(_ credential: Credential, _ environment: Environment) throws -> BroadcastClient
}
