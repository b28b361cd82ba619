internal import APNs
internal import PushStore
internal import Recurrence

/// What operators and their tools ask for.
enum ServiceHandlers {
    /// The process runs.
    static func health(_ api: PushAPI, _ call: APICall) async throws(APIError) -> APIAnswer {
        APIAnswer(["status": "ok"])
    }

    /// The process can do its work: the database answers.
    static func ready(_ api: PushAPI, _ call: APICall) async throws(APIError) -> APIAnswer {
        do {
            _ = try await api.store.administrationRevision()
            return APIAnswer(["status": "ready"])
        } catch {
            throw APIError(status: 503, code: 502, "the database does not answer")
        }
    }

    static func openAPI(_ api: PushAPI, _ call: APICall) async throws(APIError) -> APIAnswer {
        APIAnswer(OpenAPIDocument.json(APIOperations.all))
    }

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
        } catch {
            throw APIError(any: error)
        }
        return APIAnswer(
            text: page.text + api.moreMetrics(), contentType: "text/plain; version=0.0.4; charset=utf-8")
    }
}
