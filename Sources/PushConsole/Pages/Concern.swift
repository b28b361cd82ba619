internal import PushStore
internal import Recurrence

/// Something about an app that needs a person.
struct Concern: Sendable {
    var isUrgent: Bool
    var title: String
    var detail: String
    var link: (text: String, link: Link)?

    /// How long before its end a certificate is spoken of, in days.
    static let warningDays: Int64 = 30
    /// How many of the newest pushes are looked at for faults.
    private static let pushCount = 50

    static func all(of app: App, _ console: Console, _ visit: Visit) async throws -> [Concern] {
        let credentials = try await console.store.credentials(app: app.number)
        let webhooks = try await console.store.webhooks(app: app.number)
        let pushes = try await console.store.pushes(before: nil, limit: pushCount, app: app.number)
        return ofCredentials(credentials, app, visit) + ofPushes(pushes, app, visit)
            + ofWebhooks(webhooks, visit)
    }

    static func ofCredentials(_ credentials: [PushCredential], _ app: App, _ visit: Visit) -> [Concern] {
        let link = (text: visit(.credentials), link: Link("apps", app.id, "credentials"))
        if credentials.isEmpty {
            return [
                Concern(
                    isUrgent: true, title: visit(.noCredentials), detail: visit(.noCredentialsLead),
                    link: link)
            ]
        }
        var concerns: [Concern] = []
        for credential in credentials {
            let name = CredentialText.name(credential, visit)
            if let end = credential.expiresAt {
                let days = (end.secondsSince1970 - visit.now.secondsSince1970) / 86_400
                if end <= visit.now {
                    concerns.append(
                        Concern(
                            isUrgent: true, title: visit(.credentialEnded, name), detail: Visit.text(end),
                            link: link))
                } else if days < warningDays {
                    concerns.append(
                        Concern(
                            isUrgent: days < 7, title: visit(.credentialEnds, name),
                            detail: visit(.inDays, count: Int(days)), link: link))
                }
            }
            if let check = credential.check, !check.isGood {
                concerns.append(
                    Concern(
                        isUrgent: true, title: visit(.credentialRefused, name),
                        detail: CredentialText.check(check, visit),
                        link: link))
            }
        }
        return concerns
    }

    private static func ofPushes(_ pushes: [Push], _ app: App, _ visit: Visit) -> [Concern] {
        pushes.filter { $0.state == .paused && $0.error != nil }.map { push in
            Concern(
                isUrgent: true,
                title: visit(.pushStopped, MessageText(push.request.data).line ?? push.objectID),
                detail: ErrorText.text(push.remarks ?? "", in: visit.language),
                link: (text: visit(.look), link: Link("apps", app.id, "pushes", push.objectID)))
        }
    }

    private static func ofWebhooks(_ webhooks: [Webhook], _ visit: Visit) -> [Concern] {
        webhooks.filter { $0.health.failureCount >= 3 }.map { webhook in
            Concern(
                isUrgent: false, title: visit(.webhookFails, webhook.url),
                detail: webhook.health.failure ?? "")
        }
    }
}
