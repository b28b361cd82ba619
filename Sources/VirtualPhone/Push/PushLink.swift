public import APNs

/// A phone's connection to APNs, or to what stands for it.
///
/// The phone opens and closes it (airplane mode), registers apps, and tells what happens to them. Functions are called
/// one after another.
public protocol PushLink: AnyObject, Sendable {
    /// Connects, and hands over what comes, one after another, until `disconnect`; a connection that breaks is made
    /// again by the link.
    func connect(_ receive: @escaping @Sendable (RemotePush) async -> Void) async throws(PhoneError)
    /// Disconnects; what comes meanwhile waits on the other side.
    func disconnect() async
    /// An app wants its device token.
    func register(
        _ bundleIdentifier: String, environment: APNs.Environment
    ) async throws(PhoneError) -> DeviceToken
    /// An app wants a token beside that of its notifications.
    ///
    /// - Parameters:
    ///   - bundleIdentifier: the app's.
    ///   - environment: what the app was signed for.
    ///   - family: what the token is for: `voip`, `liveactivity-start`, `liveactivity`.
    ///   - instance: which of the app's Live Activities; else empty.
    func register(
        _ bundleIdentifier: String, environment: APNs.Environment, family: String, instance: String
    ) async throws(PhoneError) -> DeviceToken
    /// Something happened on the phone that the other side has to know.
    func tell(_ news: PushLinkNews) async throws(PhoneError)
    /// The phone's backup is put onto a new phone, whose link this gives; the old one leads nowhere afterwards.
    func restore(toPhoneNamed name: String) async throws(PhoneError) -> any PushLink
}

/// What a phone tells the other side of its link.
public enum PushLinkNews: Hashable, Sendable {
    /// The user opened the app.
    case launched(String)
    /// The user swiped the app away.
    case forceQuit(String)
    /// The app gave its token up.
    case unregistered(String, DeviceToken)
    /// The app was deleted.
    case uninstalled(String)
    /// Whether the user allows the app's notifications at all.
    case enabled(String, Bool)
    /// Low Power Mode.
    case powerSaving(Bool)
}
