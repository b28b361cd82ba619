internal import Foundation

/// Why a device is not registered for remote notifications, as far as is known.
public struct RegistrationFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of a fault; an open set, so that kinds can be added.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The code's name.
        public let description: String

        /// The app was signed without the entitlement `aps-environment`: only a new build helps.
        public static let notEntitled = Code(description: "notEntitled")
        /// This simulator has no remote notifications.
        public static let simulator = Code(description: "simulator")
        /// Apple or the push service could not be reached; tried again.
        public static let offline = Code(description: "offline")
        /// The push service refused: its address, the app's id or key, or a value is wrong.
        public static let refused = Code(description: "refused")
        /// The push service is in trouble; tried again.
        public static let service = Code(description: "service")
        /// The system gave no token for another reason; tried again.
        public static let system = Code(description: "system")
    }

    /// The kind of the fault.
    public var code: Code
    /// A sentence for a person.
    public var message: String

    /// Makes a fault.
    public init(code: Code, message: String) {
        self.code = code
        self.message = message
    }

    /// Reads what the app delegate is told.
    public init(_ error: any Error) {
        let error = error as NSError
        let code: Code =
            switch (error.domain, error.code) {
            case (NSCocoaErrorDomain, 3000): .notEntitled
            case (NSCocoaErrorDomain, 3010): .simulator
            case (NSURLErrorDomain, _), (NSPOSIXErrorDomain, _): .offline
            default: .system
            }
        self.init(code: code, message: "\(error.domain) \(error.code): \(error.localizedDescription)")
    }

    init(_ failure: ServiceFailure) {
        let code: Code =
            switch failure.kind {
            case .unreachable: .offline
            case .answer: failure.isWorthRetrying ? .service : .refused
            }
        self.init(code: code, message: failure.message)
    }

    /// Whether the library tries again by itself.
    public var isRetried: Bool { code == .offline || code == .service || code == .system }

    /// The code and the message.
    public var description: String { "\(code): \(message)" }
}
