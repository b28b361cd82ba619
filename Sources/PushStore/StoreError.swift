/// Why a store did not do what was asked.
public struct StoreError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What kind of failure it is.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The code's name.
        public let description: String

        /// A value the caller gave cannot be stored or asked for.
        public static let invalid = Code(description: "invalid")
        /// Nothing has the id that was given.
        public static let notFound = Code(description: "notFound")
        /// Something that has to be unique exists already.
        public static let conflict = Code(description: "conflict")
        /// A condition given with a change does not hold; nothing was changed.
        public static let conditionNotMet = Code(description: "conditionNotMet")
        /// More work waits than the store takes in; later it may go.
        public static let overloaded = Code(description: "overloaded")
        /// A condition takes more time or steps than one may.
        public static let tooCostly = Code(description: "tooCostly")
        /// The disk is full.
        public static let full = Code(description: "full")
        /// A lease has run out or was taken over; its holder may store nothing more.
        public static let leaseLost = Code(description: "leaseLost")
        /// What is stored under seal cannot be opened with this secret.
        public static let secret = Code(description: "secret")
        /// The database cannot be reached; nothing was changed.
        public static let unavailable = Code(description: "unavailable")
        /// The connection broke while a change was being kept: it may have been kept, or not.
        public static let uncertain = Code(description: "uncertain")
        /// The database failed.
        public static let database = Code(description: "database")
    }

    /// A push that could not be worked on.
    public struct FailedPush: Sendable, Hashable {
        /// The push's objectId.
        public var objectID: String
        /// The id of its app, where it is known.
        public var app: String?
        /// The sentence with which the failure has stopped the push, until somebody resumes it; nil when it goes on.
        public var stop: String?
    }

    /// What kind of failure it is.
    public var code: Code
    /// The field, what was found and what is allowed, in one sentence without secrets.
    public var message: String
    /// The push whose work failed, where it is known.
    public private(set) var push: FailedPush?

    /// Makes an error.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The same error, with the push whose work failed.
    ///
    /// - Parameters:
    ///   - objectID: the push's objectId.
    ///   - app: the id of its app.
    ///   - stop: the sentence with which the failure has stopped the push.
    package func about(push objectID: String, app: String? = nil, stop: String? = nil) -> StoreError {
        var error = self
        error.push = FailedPush(objectID: objectID, app: app, stop: stop)
        return error
    }

    /// Code and message.
    public var description: String { "\(code): \(message)" }
}
