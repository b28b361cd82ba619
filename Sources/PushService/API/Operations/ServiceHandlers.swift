internal import APNs
internal import PushStore

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

    /// Counters and gauges, without any text or token of a customer; what is in memory also when the database is away.
    ///
    /// No key is asked for, as Prometheus' own exporters do it: the service listens on loopback unless told
    /// otherwise, and whoever opens it to a network keeps this path inside of it.
    static func metrics(_ api: PushAPI, _ call: APICall) async throws(APIError) -> APIAnswer {
        let stored = await api.storeMetrics.answer()
        var page = MetricsPage()
        api.metrics.write(to: &page)
        page.begin(
            "belfry_database_up", "gauge", "Whether the database gave its part of these metrics in time.")
        page.add([:], stored == nil ? 0 : 1)
        return APIAnswer(
            text: page.text + (stored ?? "") + api.moreMetrics(),
            contentType: "text/plain; version=0.0.4; charset=utf-8")
    }
}
