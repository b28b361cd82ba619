/// Something about one push that the push service counts.
struct PushReport: Hashable, Sendable, Codable {
    enum Kind: String, Hashable, Sendable, Codable {
        /// The user opened it, or pressed one of its buttons.
        case opened
        /// It arrived on the device.
        case delivered
    }

    var kind: Kind
    var pushID: String
    var atMilliseconds: Int64
}
