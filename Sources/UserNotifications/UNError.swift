/// An error of the framework.
public struct UNError: Error, Hashable, CustomNSError, LocalizedError {
    private let stored: NSError

    /// Makes an error of a code.
    public init(_ code: Code, userInfo: [String: Any] = [:]) {
        stored = NSError(domain: UNErrorDomain, code: code.rawValue, userInfo: userInfo)
    }

    /// What went wrong.
    public var code: Code { Code(rawValue: stored.code) ?? .notificationsNotAllowed }

    /// More about it, for people: Foundation's keys.
    public var userInfo: [String: Any] { stored.userInfo }

    /// The domain of all errors of the framework.
    public static var errorDomain: String { UNErrorDomain }

    /// The raw value of the code.
    public var errorCode: Int { code.rawValue }

    /// The user info that an `NSError` of this error has.
    public var errorUserInfo: [String: Any] {
        stored.userInfo.merging([NSLocalizedDescriptionKey: code.sentence]) { given, _ in given }
    }

    /// What went wrong, in a sentence.
    public var errorDescription: String? {
        userInfo[NSLocalizedDescriptionKey] as? String ?? code.sentence
    }

    /// What went wrong, by number.
    @nonexhaustive(warn)
    public enum Code: Int, Error, Hashable, Sendable {
        /// The app may not notify.
        case notificationsNotAllowed = 1
        /// The URL of an attachment is none of a file.
        case attachmentInvalidURL = 100
        /// The type of an attachment cannot be shown.
        case attachmentUnrecognizedType = 101
        /// An attachment is empty or above the size limit of its type.
        case attachmentInvalidFileSize = 102
        /// An attachment is not in the store.
        case attachmentNotInDataStore = 103
        /// An attachment could not be moved into the store.
        case attachmentMoveIntoDataStoreFailed = 104
        /// The bytes of an attachment are none of its type.
        case attachmentCorrupt = 105
        /// The trigger has no date.
        case notificationInvalidNoDate = 1400
        /// There is nothing to show, play or count.
        case notificationInvalidNoContent = 1401
        /// This object may not provide content here.
        case contentProvidingObjectNotAllowed = 1500
        /// The object that provides content is not complete.
        case contentProvidingInvalid = 1501
        /// The badge is below 0.
        case badgeInputInvalid = 1600

        /// Lets `catch UNError.attachmentCorrupt` match an error with this code.
        public static func ~= (code: Code, error: any Error) -> Bool {
            if let error = error as? UNError { return error.code == code }
            let bridged = error as NSError
            return bridged.domain == UNErrorDomain && bridged.code == code.rawValue
        }
    }

    /// The app may not notify.
    public static var notificationsNotAllowed: Code { .notificationsNotAllowed }
    /// The URL of an attachment is none of a file.
    public static var attachmentInvalidURL: Code { .attachmentInvalidURL }
    /// The type of an attachment cannot be shown.
    public static var attachmentUnrecognizedType: Code { .attachmentUnrecognizedType }
    /// An attachment is empty or above the size limit of its type.
    public static var attachmentInvalidFileSize: Code { .attachmentInvalidFileSize }
    /// An attachment is not in the store.
    public static var attachmentNotInDataStore: Code { .attachmentNotInDataStore }
    /// An attachment could not be moved into the store.
    public static var attachmentMoveIntoDataStoreFailed: Code { .attachmentMoveIntoDataStoreFailed }
    /// The bytes of an attachment are none of its type.
    public static var attachmentCorrupt: Code { .attachmentCorrupt }
    /// The trigger has no date.
    public static var notificationInvalidNoDate: Code { .notificationInvalidNoDate }
    /// There is nothing to show, play or count.
    public static var notificationInvalidNoContent: Code { .notificationInvalidNoContent }
    /// This object may not provide content here.
    public static var contentProvidingObjectNotAllowed: Code { .contentProvidingObjectNotAllowed }
    /// The object that provides content is not complete.
    public static var contentProvidingInvalid: Code { .contentProvidingInvalid }
    /// The badge is below 0.
    public static var badgeInputInvalid: Code { .badgeInputInvalid }
}

extension UNError.Code {
    fileprivate var sentence: String {
        switch self {
        case .notificationsNotAllowed: "notifications are not allowed for this app"
        case .attachmentInvalidURL: "the attachment's URL is none of a readable file"
        case .attachmentUnrecognizedType: "the attachment's type is none that can be shown"
        case .attachmentInvalidFileSize: "the attachment is empty or too large for its type"
        case .attachmentNotInDataStore: "the attachment is not in the store"
        case .attachmentMoveIntoDataStoreFailed: "the attachment could not be moved into the store"
        case .attachmentCorrupt: "the attachment's bytes are none of its type"
        case .notificationInvalidNoDate: "the trigger has no date"
        case .notificationInvalidNoContent: "there is nothing to show, play or count"
        case .contentProvidingObjectNotAllowed: "this object may not provide content here"
        case .contentProvidingInvalid: "the object that provides content is not complete"
        case .badgeInputInvalid: "a badge is 0 or more"
        }
    }
}

/// The domain of all errors of the framework.
public let UNErrorDomain = "UNErrorDomain"
