internal import PushStore
internal import Recurrence

/// What the database says for metrics: the queue, credentials and webhooks; all nodes that share it say the same.
struct StoreMetrics: Sendable {
    let store: any Store
    let directory: AppDirectory
    let now: Instant

    /// All of it, in Prometheus' text format.
    func text() async throws -> String {
        var page = MetricsPage()
        write(try await store.queueCounts(now: now), to: &page)
        let apps = try await directory.apps(now: now)
        try await writeCredentials(of: apps, to: &page)
        try await writeWebhooks(of: apps, to: &page)
        return page.text
    }

    private func write(_ counts: QueueCounts, to page: inout MetricsPage) {
        page.begin("belfry_pushes", "gauge", "Pushes that have not ended, by state.")
        for state in Push.State.allCases where !state.isFinal {
            page.add(["state": state.rawValue], Int64(counts.pushes[state] ?? 0))
        }
        page.begin(
            "belfry_pushes_stopped", "gauge",
            "Pushes that a fault has stopped until somebody resumes them; they are paused ones too.")
        page.add([:], Int64(counts.stoppedPushCount))
        page.begin("belfry_batches", "gauge", "Batches that wait or are being sent.")
        page.add(["state": "ready"], Int64(counts.readyBatchCount))
        page.add(["state": "claimed"], Int64(counts.claimedBatchCount))
        page.begin(
            "belfry_oldest_due_batch_seconds", "gauge",
            "For how long the oldest batch has been due that nobody has taken; 0 without one.")
        let age = counts.oldestDueAt.map { now.millisecondsSince1970 - $0.millisecondsSince1970 } ?? 0
        page.add([:], "\(Double(max(0, age)) / 1000)")
        page.begin("belfry_pending_devices", "gauge", "Devices of pushes without an outcome.")
        page.add([:], Int64(counts.pendingDeviceCount))
    }

    private func writeCredentials(of apps: [App], to page: inout MetricsPage) async throws {
        page.begin(
            "belfry_credential_expiry_seconds", "gauge",
            "Seconds until a certificate ends; negative when it has.")
        var checks: [(labels: [String: String], isGood: Bool)] = []
        for app in apps {
            for credential in try await store.credentials(app: app.number) {
                let labels = ["app": app.id, "credential": String(credential.number)]
                if let expiresAt = credential.expiresAt {
                    page.add(labels, expiresAt.secondsSince1970 - now.secondsSince1970)
                }
                if let check = credential.check { checks.append((labels, check.isGood)) }
            }
        }
        page.begin(
            "belfry_credential_good", "gauge", "Whether APNs knew a credential at its latest check.")
        for check in checks { page.add(check.labels, check.isGood ? 1 : 0) }
    }

    private func writeWebhooks(of apps: [App], to page: inout MetricsPage) async throws {
        var found: [(labels: [String: String], health: Webhook.Health)] = []
        for app in apps {
            // By number, for an address may carry a secret.
            for webhook in try await store.webhooks(app: app.number) {
                found.append((["app": app.id, "webhook": String(webhook.number)], webhook.health))
            }
        }
        page.begin("belfry_webhook_waiting", "gauge", "Events that wait for a webhook.")
        for one in found { page.add(one.labels, Int64(one.health.waitingCount)) }
        page.begin(
            "belfry_webhook_dropped_total", "counter", "Events that were given up or found no room.")
        for one in found { page.add(one.labels, Int64(one.health.droppedCount)) }
        page.begin(
            "belfry_webhook_failures", "gauge", "Attempts that failed since a webhook last took an event.")
        for one in found { page.add(one.labels, Int64(one.health.failureCount)) }
        page.begin(
            "belfry_webhook_last_success_seconds", "gauge", "Seconds since a webhook last took an event.")
        for one in found {
            guard let at = one.health.succeededAt else { continue }
            page.add(one.labels, now.secondsSince1970 - at.secondsSince1970)
        }
    }
}
