/// What depends on several keys, or on the push type.
extension Linter {
    mutating func checkTogether(_ aps: [String: JSONValue]) {
        let visible = ["alert", "badge", "sound"].filter { aps[$0] != nil && aps[$0] != .null }
        let pushType = pushType
        switch pushType {
        case .background:
            for key in visible {
                error(
                    .backgroundVisible, "aps.\(key)",
                    "\(key) makes the notification visible, but the push type is background: remove it, or"
                        + " send the type alert")
            }
            if aps["content-available"] == nil {
                error(
                    .missingPart, "aps.content-available",
                    "content-available is missing, without which a background notification does nothing: add 1"
                )
            }
        case .alert where visible.isEmpty && aps["event"] == nil:
            error(
                .invisible, "aps",
                "aps has neither alert, badge nor sound, but the push type is alert: add one, or send the"
                    + " type background with priority 5")
        case .widgets, .controls:
            if aps["content-changed"] == nil {
                error(
                    .contentChanged, "aps.content-changed",
                    "content-changed is missing, without which nothing reloads: add true")
            }
        case nil, .alert, .location, .voip, .complication, .fileprovider, .mdm, .liveactivity, .pushtotalk:
            break
        }
        if let pushType, pushType != .widgets, pushType != .controls, aps["content-changed"] != nil {
            warning(
                .pushTypeMismatch, "aps.content-changed",
                "content-changed has no effect with the push type \(pushType.rawValue): send widgets or controls"
            )
        }
        if aps["mutable-content"] == .integer(1), aps["alert"] == nil, !isLiveActivity(aps) {
            warning(
                .mutableWithoutAlert, "aps.mutable-content",
                "mutable-content has no effect without an alert, which is what a service extension changes:"
                    + " add alert, or remove it")
        }
        if let score = aps["relevance-score"], !isLiveActivity(aps) {
            let number: Double? =
                switch score {
                case .integer(let integer): Double(integer)
                case .number(let number): number
                default: nil
                }
            if let number, !(0...1 ~= number) {
                error(
                    .relevanceRange, "aps.relevance-score",
                    "relevance-score is \(number): write a number from 0 to 1")
            }
        }
    }
}
