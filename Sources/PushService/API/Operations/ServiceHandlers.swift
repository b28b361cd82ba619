internal import APNs
internal import PushStore
internal import Recurrence

/// What operators and their tools ask for.
enum ServiceHandlers {
    /// The process runs.
    static func health(_ api: PushAPI, _ call: APICall) async throws(APIError) -> APIAnswer {
        APIAnswer(["status": "ok"])
    }

    /// The process can do its work: the database answers, and is one that it can work with.
    static func ready(_ api: PushAPI, _ call: APICall) async throws(APIError) -> APIAnswer {
        if let reason = api.store.incompatibility { throw APIError(status: 503, code: 502, reason) }
        guard await api.readiness.isReady() else {
            throw APIError(status: 503, code: 502, "the database does not answer")
        }
        return APIAnswer(["status": "ready"])
    }

    static func openAPI(_ api: PushAPI, _ call: APICall) async throws(APIError) -> APIAnswer {
        APIAnswer(OpenAPIDocument.json(APIOperations.all))
    }

    private static func writeWebhooks(
        to page: inout MetricsPage, _ api: PushAPI, _ call: APICall
    ) async throws {
        var found: [(labels: [String: String], health: Webhook.Health)] = []
        for app in try await api.directory.apps(now: call.now) {
            // By number, for an address may carry a secret.
            for webhook in try await api.store.webhooks(app: app.number) {
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
            page.add(one.labels, call.now.secondsSince1970 - at.secondsSince1970)
        }
    }

    /// Counters and gauges, without any text or token of a customer.
    ///
    /// No key is asked for, as Prometheus' own exporters do it: the service listens on loopback unless told
    /// otherwise, and whoever opens it to a network keeps this path inside of it.
    static func metrics(_ api: PushAPI, _ call: APICall) async throws(APIError) -> APIAnswer {
        var page = MetricsPage()
        api.metrics.write(to: &page)
        do {
            let counts = try await api.store.queueCounts(now: call.now)
            page.begin("belfry_pushes", "gauge", "Pushes that have not ended, by state.")
            for state in Push.State.allCases where !state.isFinal {
                page.add(["state": state.rawValue], Int64(counts.pushes[state] ?? 0))
            }
            page.begin("belfry_batches", "gauge", "Batches that wait or are being sent.")
            page.add(["state": "ready"], Int64(counts.readyBatchCount))
            page.add(["state": "claimed"], Int64(counts.claimedBatchCount))
            page.begin("belfry_pending_devices", "gauge", "Devices of pushes without an outcome.")
            page.add([:], Int64(counts.pendingDeviceCount))

            page.begin(
                "belfry_credential_expiry_seconds", "gauge",
                "Seconds until a certificate ends; negative when it has.")
            var checks: [(labels: [String: String], isGood: Bool)] = []
            for app in try await api.directory.apps(now: call.now) {
                for credential in try await api.store.credentials(app: app.number) {
                    let labels = ["app": app.id, "credential": String(credential.number)]
                    if let expiresAt = credential.expiresAt {
                        page.add(labels, expiresAt.secondsSince1970 - call.now.secondsSince1970)
                    }
                    if let check = credential.check { checks.append((labels, check.isGood)) }
                }
            }
            page.begin(
                "belfry_credential_good", "gauge", "Whether APNs knew a credential at its latest check.")
            for check in checks { page.add(check.labels, check.isGood ? 1 : 0) }
            try await writeWebhooks(to: &page, api, call)
        } catch {
            throw APIError(any: error)
        }
        return APIAnswer(
            text: page.text + api.moreMetrics(), contentType: "text/plain; version=0.0.4; charset=utf-8")
    }
}
