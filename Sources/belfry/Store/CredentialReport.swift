internal import APNs
internal import PushStore
internal import Recurrence

/// A stored credential as commands print it: nothing secret.
struct CredentialReport: Encodable, Sendable {
    var number: Int64
    var kind: String
    var keyId: String?
    var teamId: String?
    var environments: [String]
    var profile: String?
    var topics: [String]
    var expiresAt: String?
    var check: PushCredential.Check?

    init(_ credential: PushCredential) {
        number = credential.number
        switch credential.secret {
        case .key(_, let id, let team):
            kind = "key"
            keyId = id
            teamId = team
        case .certificate:
            kind = "certificate"
            teamId = credential.teamID
        }
        environments = credential.environments.map(\.rawValue).sorted()
        profile = credential.deviceProfile
        topics = credential.topics
        expiresAt = credential.expiresAt?.iso8601
        check = credential.check
    }

    /// One line.
    var text: String {
        var parts = ["\(number)", kind]
        parts += [keyId, teamId.map { "team \($0)" }].compactMap { $0 }
        parts.append(environments.joined(separator: "+"))
        if let profile { parts.append("profile \(profile)") }
        if !topics.isEmpty { parts.append(topics.joined(separator: ",")) }
        if let expiresAt { parts.append("until \(expiresAt)") }
        if let check { parts.append("\(check.isGood ? "good" : "not good"): \(check.message)") }
        return parts.joined(separator: "  ")
    }
}
