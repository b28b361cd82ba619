public import Foundation

/// Why an app got no device token.
///
/// Bridged to `NSError` it has Apple's domain and code where those are known (`NSCocoaErrorDomain` 3000 for the
/// missing entitlement).
public struct RegistrationError: LocalizedError, CustomNSError, Hashable, Sendable {
    /// What stood in the way.
    public enum Reason: String, Hashable, Sendable {
        /// The app has no entitlement `aps-environment`.
        case noEntitlement = "no-entitlement"
        /// The phone has no connection.
        case offline
        /// APNs refuses, or cannot be reached.
        case service
    }

    /// What stood in the way.
    public var reason: Reason
    /// The sentence for a log.
    public var message: String

    /// Makes an error.
    public init(_ reason: Reason, _ message: String) {
        self.reason = reason
        self.message = message
    }

    /// The sentence for a log.
    public var errorDescription: String? { message }

    /// The domain of `errorCode`.
    public static var errorDomain: String { NSCocoaErrorDomain }

    /// 3000 for the missing entitlement, 3001 for everything that may pass; 3010 would mean a simulator, on which apps do
    /// not try again.
    public var errorCode: Int { reason == .noEntitlement ? 3000 : 3001 }
}
