public import Recurrence

/// Apps, their keys and credentials.
///
/// Other processes (`belfry app`, `belfry key`) change these while a service runs: the service watches
/// ``administrationRevision()``.
public protocol AppStore: Sendable {
    /// A number that changes with every change of apps, keys, settings or credentials, whoever made it.
    func administrationRevision() async throws(StoreError) -> Int64

    /// All apps by number.
    func apps() async throws(StoreError) -> [App]

    /// Makes an app with its first two keys, all or nothing.
    ///
    /// - Throws: `conflict` when the id is taken; `invalid` for an id, name or topic that cannot be one.
    func createApp(
        id: String, name: String, topic: String, appKey: String, masterKey: String, now: Instant
    ) async throws(StoreError) -> App

    /// Changes name, topic and settings of an app.
    func updateApp(_ app: App, now: Instant) async throws(StoreError)

    /// The keys of an app that are valid at a time, the current ones first.
    func keys(app: Int64, now: Instant) async throws(StoreError) -> [AppKey]

    /// Makes a key the current one of its kind; the former stays valid until a time.
    func rotateKey(
        app: Int64, kind: AppKey.Kind, secret: String, formerValidUntil: Instant, now: Instant
    ) async throws(StoreError)

    /// The credentials of an app, oldest first.
    func credentials(app: Int64) async throws(StoreError) -> [PushCredential]

    /// Adds a credential and gives its number.
    func addCredential(_ credential: PushCredential, app: Int64) async throws(StoreError) -> Int64

    /// Removes a credential.
    func removeCredential(number: Int64, app: Int64) async throws(StoreError)

    /// Stores how a check against APNs ended.
    func storeCheck(_ check: PushCredential.Check, credential: Int64) async throws(StoreError)
}
