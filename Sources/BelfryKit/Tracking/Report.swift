/// Something that the push service counts.
struct Report: Hashable, Sendable, Codable {
    enum Kind: String, Hashable, Sendable, Codable {
        /// The user opened a push, or pressed one of its buttons.
        case opened
        /// A push arrived on the device.
        case delivered
        /// The user did something in the app.
        case event
    }

    var kind: Kind
    /// Of a push that was opened or arrived.
    var pushID: String?
    /// What the user did.
    var event: AppEvent?
    var atMilliseconds: Int64
}
