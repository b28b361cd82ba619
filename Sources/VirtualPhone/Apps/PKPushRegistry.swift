public import Foundation

/// What a push of PushKit is for.
public struct PKPushType: RawRepresentable, Hashable, Sendable {
    /// Apple's name.
    public let rawValue: String

    /// Makes a type of Apple's name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// An incoming call.
    public static let voIP = PKPushType(rawValue: "PKPushTypeVoIP")
}

/// The token that a service sends an app's PushKit pushes to.
public struct PKPushCredentials: Hashable, Sendable {
    /// What the pushes are for.
    public let type: PKPushType
    /// The token.
    public let token: Data
}

/// What a push of PushKit carries.
public struct PKPushPayload {
    /// What it is for.
    public let type: PKPushType
    /// The whole payload.
    public let dictionaryPayload: [AnyHashable: Any]
}

/// Takes an app's PushKit pushes; a function may be written with or without `async`.
@MainActor public protocol PKPushRegistryDelegate: AnyObject {
    /// There is a token, perhaps another one than before.
    func pushRegistry(
        _ registry: PKPushRegistry, didUpdate pushCredentials: PKPushCredentials, for type: PKPushType)
    /// A push came; an incoming call has to be reported before this returns.
    func pushRegistry(
        _ registry: PKPushRegistry, didReceiveIncomingPushWith payload: PKPushPayload, for type: PKPushType
    ) async
    /// The same, with a completion handler that has to be called.
    func pushRegistry(
        _ registry: PKPushRegistry, didReceiveIncomingPushWith payload: PKPushPayload, for type: PKPushType,
        completion: @escaping @Sendable () -> Void)
}

extension PKPushRegistryDelegate {
    /// Calls the spelling with a completion handler.
    public func pushRegistry(
        _ registry: PKPushRegistry, didReceiveIncomingPushWith payload: PKPushPayload, for type: PKPushType
    ) async {
        await withCheckedContinuation { continuation in
            let answer = OnceAnswer(continuation)
            pushRegistry(registry, didReceiveIncomingPushWith: payload, for: type) { answer.call() }
        }
    }

    /// Is done at once.
    public func pushRegistry(
        _ registry: PKPushRegistry, didReceiveIncomingPushWith payload: PKPushPayload, for type: PKPushType,
        completion: @escaping @Sendable () -> Void
    ) {
        completion()
    }
}

/// An app's PushKit pushes on a simulated phone: those for incoming calls.
///
/// Make it while the app launches, set the delegate, then ``desiredPushTypes``; the app needs the background mode `voip`.
/// A VoIP push starts an app that does not run, also one that the user has swiped away. Before the delegate is done with it
/// the app has to report a call with ``Application/reportNewIncomingCall(from:)``, or it is terminated; if that happens
/// again and again, it gets no more of them (Apple: PushKit, Responding to VoIP notifications).
@MainActor public final class PKPushRegistry {
    /// Who takes tokens and pushes.
    public weak var delegate: (any PKPushRegistryDelegate)?
    /// What the app wants pushes for; setting it asks for the tokens.
    public var desiredPushTypes: Set<PKPushType>? {
        didSet { if desiredPushTypes?.contains(.voIP) == true { application.registerForVoIP(self) } }
    }

    private let application: Application
    private var token: Data?

    /// Makes the registry of an app; on iOS it is made with a queue.
    public init(_ application: Application) { self.application = application }

    /// The token for a type; nil before there is one.
    public func pushToken(for type: PKPushType) -> Data? { type == .voIP ? token : nil }

    func take(token: Data) {
        self.token = token
        delegate?.pushRegistry(self, didUpdate: PKPushCredentials(type: .voIP, token: token), for: .voIP)
    }

    func receive(_ payload: [AnyHashable: Any]) async {
        await delegate?.pushRegistry(
            self, didReceiveIncomingPushWith: PKPushPayload(type: .voIP, dictionaryPayload: payload),
            for: .voIP)
    }
}
