/// What becomes of a request of an app that may not notify.
public enum UnauthorizedAddPolicy: String, CaseIterable, Hashable, Sendable {
    /// The default: it is dropped without an error, measured on iOS 18.5.
    case drop
    /// It is dropped with the error `notificationsNotAllowed`, as older advice says.
    case report
}
