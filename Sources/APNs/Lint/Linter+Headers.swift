/// The headers, each by itself and with the push type.
extension Linter {
    /// What a number of seconds since 1970 cannot be: below, it is a duration; above, milliseconds.
    static let instantMin: Int64 = 1_000_000_000
    static let instantMax: Int64 = 100_000_000_000

    mutating func checkHeaders() {
        if let token = headers.token { checkToken(token) }
        checkPushType()
        if let topic = headers.topic { checkTopic(topic) }
        checkPriority()
        if let expiration = headers.expiration { checkExpiration(expiration) }
        if let collapseID = headers.collapseID {
            do throws(APNsError) {
                _ = try CollapseID(collapseID)
            } catch {
                self.error(.collapseID, "apns-collapse-id", "apns-collapse-id is wrong: \(error.message)")
            }
        }
        if let id = headers.id, NotificationID(id) == nil {
            error(
                .notificationID, "apns-id",
                "apns-id is \(quoted(id)); write a UUID of 36 characters, or leave it to APNs to make one")
        }
    }

    private mutating func checkToken(_ token: String) {
        do throws(APNsError) {
            _ = try DeviceToken(hex: token)
        } catch {
            let hint: String
            if token.hasPrefix("<") || token.contains(" ") {
                hint = "; this looks like a printed Data value: send its bytes as hexadecimal digits"
            } else if token.contains(where: { "+/=".contains($0) }) {
                hint = "; this looks like base64: send its bytes as hexadecimal digits"
            } else {
                hint = ""
            }
            self.error(.token, ":path", "the device token is wrong: \(error.message)\(hint)")
        }
    }

    private mutating func checkPushType() {
        guard let text = headers.pushType else {
            if headers != LintHeaders(token: headers.token) {
                warning(
                    .missingPushType, "apns-push-type",
                    "apns-push-type is missing; watchOS needs it and APNs may delay or drop without it:"
                        + " add it, for example alert or background")
            }
            return
        }
        guard pushType == nil else { return }
        let types = PushType.allCases.map(\.rawValue)
        let fix = KeySpelling.nearest(to: text, among: types).map { "write \"\($0)\"" }
        error(
            .pushType, "apns-push-type",
            "apns-push-type is \(quoted(text)), which does not exist: "
                + (fix ?? "write one of \(types.joined(separator: ", "))"))
    }

    private mutating func checkTopic(_ text: String) {
        let topic: Topic
        do throws(APNsError) {
            topic = try Topic(text)
        } catch {
            return self.error(.topic, "apns-topic", "apns-topic is wrong: \(error.message)")
        }
        guard let pushType, !topic.fits(pushType) else { return }
        let suffix = pushType.topicSuffix
        let found = "apns-topic is \(quoted(text))"
        let fix = "write \"\(topic.bundleID)\(suffix)\""
        if suffix.isEmpty {
            error(
                .topicSuffix, "apns-topic",
                "\(found), but the push type \(pushType.rawValue) has no suffix: \(fix)")
        } else {
            error(
                .topicSuffix, "apns-topic",
                "\(found) without the suffix \(suffix) of the push type \(pushType.rawValue): \(fix)")
        }
    }

    private mutating func checkPriority() {
        let path = "apns-priority"
        let priority: Priority?
        if let text = headers.priority {
            guard let read = Int(text).flatMap(Priority.init(rawValue:)), String(read.rawValue) == text else {
                return error(.priority, path, "apns-priority is \(quoted(text)): write 10, 5 or 1")
            }
            priority = read
        } else {
            priority = nil
        }
        switch (pushType, priority) {
        case (.background, .high):
            error(
                .backgroundPriority, path,
                "apns-priority is 10, which is an error with the push type background: write 5")
        case (.background, nil):
            error(
                .backgroundPriority, path,
                "apns-priority is missing, which means 10, an error with the push type background: write 5")
        case (.liveactivity, .low):
            warning(.priority, path, "apns-priority is 1; Live Activities have 5 or 10: write one of them")
        case (.pushtotalk, .low), (.pushtotalk, .normal):
            warning(.priority, path, "apns-priority is below 10, too late for Push to Talk: write 10")
        default: break
        }
    }

    private mutating func checkExpiration(_ text: String) {
        let path = "apns-expiration"
        switch bytesOf(text, Expiration.init(utf8:)) {
        case nil:
            error(
                .expiration, path, "apns-expiration is \(quoted(text)): write whole seconds since 1970, or 0")
        case .at(let seconds)? where seconds < Linter.instantMin:
            let example = now.map { ", now \($0 + seconds)" } ?? ""
            error(
                .relativeExpiration, path,
                "apns-expiration is \(seconds), an instant long ago, and looks like a duration:"
                    + " write the current time plus \(seconds)\(example)")
        case .at(let seconds)? where seconds >= Linter.instantMax:
            error(
                .expiration, path,
                "apns-expiration is \(seconds), which looks like milliseconds: write seconds, \(seconds / 1000)"
            )
        case .at(let seconds)?:
            guard let now else { return }
            if seconds <= now {
                error(
                    .expired, path,
                    "apns-expiration is \(seconds), \(now - seconds) seconds ago: write a later time, or 0 for"
                        + " one attempt without storing")
            } else if seconds - now > Expiration.storageSecondsMax {
                warning(
                    .distantExpiration, path,
                    "apns-expiration is more than 30 days ahead; APNs keeps nothing longer: write at most"
                        + " \(now + Expiration.storageSecondsMax)")
            }
        case .never?, .unspecified?: break
        }
    }

    private func bytesOf<Value>(_ text: String, _ read: (UnsafeRawBufferPointer) -> Value) -> Value {
        Array(text.utf8).withUnsafeBytes(read)
    }
}
