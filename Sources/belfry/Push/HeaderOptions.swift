internal import APNs

/// The options that become headers of a request, as `push` takes them.
enum HeaderOptions {
    static let topic = Option.optional(
        "topic", short: "t", .text("TOPIC"),
        "apns-topic: the bundle id, with the suffix that some push types need.")
    static let pushType = Option.optional(
        "push-type", ValueKind<PushType>.choice("TYPE"), defaultText: "alert", "apns-push-type.")
    static let priority = Option.optional(
        "priority", .choice("N", ["1", "5", "10"]),
        "apns-priority: 10 at once, 5 and 1 when it costs little power.")
    static let expiration = Option.optional(
        "expiration", .expiration,
        "apns-expiration: how long APNs keeps it for a device that is not reachable.")
    static let collapseID = Option.optional(
        "collapse-id", .text("ID"),
        "apns-collapse-id: a later notification with the same id replaces this one.")
    static let id = Option.optional("id", .text("UUID"), "apns-id.")

    static let all = [topic.spec, pushType.spec, priority.spec, expiration.spec, collapseID.spec, id.spec]
}

extension ValueKind where Value == ExpirationText {
    /// `never`, a length of time from now, or an instant.
    static let expiration = Self(
        placeholder: "WHEN",
        allowed: "'never', a time from now such as 30s, 5m, 2h or 1d, or '@' and seconds since 1970"
    ) { text in
        if text == "never" { return .never }
        if text.hasPrefix("@") {
            guard let seconds = Int64(text.dropFirst()), seconds > 0, !text.hasPrefix("@+") else {
                return nil
            }
            return .at(secondsSince1970: seconds)
        }
        return ValueKind<Duration>.duration().read(text).map { .after($0) }
    }
}

/// An expiration as typed: the instant depends on when it is used.
enum ExpirationText: Hashable, Sendable {
    case never
    case after(Duration)
    case at(secondsSince1970: Int64)

    /// The header's value for a request made at an instant.
    func expiration(at nowSeconds: Int64) -> Expiration {
        switch self {
        case .never: .never
        case .after(let duration): .at(secondsSince1970: nowSeconds + duration.components.seconds)
        case .at(let seconds): .at(secondsSince1970: seconds)
        }
    }
}
