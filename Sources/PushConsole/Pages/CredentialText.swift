internal import APNs
internal import PushStore

/// What credentials are called on pages; never what they are made of.
enum CredentialText {
    static func name(_ credential: PushCredential, _ visit: Visit) -> String {
        switch credential.secret {
        case .key(_, let keyID, _): visit(.keyNamed, keyID)
        case .certificate: visit(.certificateNamed, credential.topics.first ?? "#\(credential.number)")
        }
    }

    /// What APNs said, by environment.
    static func check(_ check: PushCredential.Check, _ visit: Visit) -> String {
        let parts = check.message.split(separator: ", ").map { part -> String in
            let halves = part.split(separator: ":", maxSplits: 1).map(\.trimmingBlanks)
            guard halves.count == 2, let environment = Environment(rawValue: halves[0]) else {
                return String(part)
            }
            return visit(.checkOf, EnvironmentText.text(environment, visit), halves[1])
        }
        let text = parts.joined(separator: visit(.listComma))
        // The token of a check is made up: that APNs refuses it is the good answer.
        return check.isGood ? visit(.checkIsGood, text) : text
    }
}
