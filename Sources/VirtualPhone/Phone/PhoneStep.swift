internal import UserNotifications

/// Something to be done with an app's process, on the main actor, in order.
enum PhoneStep: Sendable {
    case start(app: String, ApplicationState)
    /// - Parameter work: the number of the work that ends with the call; nil when none does.
    case call(app: String, AppCallback, ApplicationState, work: Int?)
    case respond(app: String, ResponseRecord, ApplicationState, work: Int?)
    case end(app: String)
}

/// What brought a lifecycle event, to be handed to the app in its place among the calls.
enum HandOver: Sendable {
    case nothing
    case response(ResponseRecord, work: Int?)
    case push(RequestRecord, work: Int?)
    case refresh(work: Int)
    case callback(AppCallback, work: Int)
}
