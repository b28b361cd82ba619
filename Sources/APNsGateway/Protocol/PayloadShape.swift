internal import APNs

/// What little of a payload the gateway looks at, and only when the policy asks for it.
struct PayloadShape: Equatable {
    /// Whether `aps` holds something the user sees or hears.
    let isVisible: Bool

    /// Reads a payload.
    ///
    /// - Returns: nil when it is not a JSON object.
    init?(json body: UnsafeRawBufferPointer) {
        guard let payload = try? JSONValue(parsing: Array(body)), case .object = payload else { return nil }
        isVisible = ["alert", "badge", "sound"].contains { payload["aps"]?[$0] != nil }
    }
}
