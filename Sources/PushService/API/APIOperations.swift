/// Everything the API does, in one table: the router and the OpenAPI document are made from it.
enum APIOperations {
    static let all = installations + batches + pushes + records + analytics + service

    private typealias Parameter = APIOperation.Parameter

    private static let condition = Parameter(
        name: "where",
        summary:
            "A condition as JSON; with a change it has to hold, or code 305 is answered, and has $regex only "
            + "with the master key.")
    private static let fetch = Parameter(
        name: "fetchWhenSave", summary: "With true the changed fields are in the answer.")
    private static let keys = Parameter(
        name: "keys", summary: "Fields to show, or with '-' not to show: a,-b.")
    private static let limit = Parameter(
        name: "limit", summary: "How many at most, 1 to 1000; 100 otherwise.")
    private static let skip = Parameter(name: "skip", summary: "How many to leave out first.")
    private static let list = [
        condition,
        Parameter(name: "order", summary: "Fields to sort by, with '-' from large to small: a,-b."),
        limit, skip, keys,
        Parameter(name: "count", summary: "With 1 the number of all matches is in the answer."),
    ]

    /// LeanCloud: 119 for what clients may not do with a class.
    private static let masterOfClass = APIOperation.Access.master(refusalCode: 119)
    private static let master = APIOperation.Access.master(refusalCode: 403)

    // MARK: - Installations

    private static let installations =
        installationOperations("/1.1/installations", suffix: "")
        + installationOperations("/1.1/classes/_Installation", suffix: "Object") + [
            APIOperation(
                method: "GET", pattern: "/1.1/scan/classes/_Installation", id: "scanInstallations",
                summary: "All installations in portions", access: masterOfClass,
                query: [
                    condition, limit, keys,
                    Parameter(name: "cursor", summary: "What the portion before answered as cursor."),
                    Parameter(
                        name: "scan_key", summary: "Accepted; rows come in the order of their creation."),
                ], answer: "InstallationScan", isBatchable: true, handler: InstallationHandlers.scan),
            APIOperation(
                method: "GET", pattern: "/1.1/cloudQuery", id: "cloudQuery",
                summary: "Installations by a query in CQL", access: masterOfClass,
                query: [
                    Parameter(name: "cql", summary: "select … from _Installation where …"),
                    Parameter(name: "pvalues", summary: "Values for the question marks, as a JSON array."),
                ], answer: "InstallationList", isBatchable: true, handler: InstallationHandlers.cloudQuery),
        ]

    private static func installationOperations(_ path: String, suffix: String) -> [APIOperation] {
        [
            APIOperation(
                method: "POST", pattern: path, id: "createInstallation\(suffix)",
                summary: "Registers a device, or updates the one with the same token or id", access: .app,
                query: [condition, fetch], body: "InstallationChange", answer: "Saved", status: 201,
                isBatchable: true, handler: InstallationHandlers.create),
            APIOperation(
                method: "GET", pattern: path, id: "listInstallation\(suffix)s",
                summary: "Installations that match a condition", access: masterOfClass, query: list,
                answer: "InstallationList", isBatchable: true, handler: InstallationHandlers.list),
            APIOperation(
                method: "GET", pattern: path + "/:id", id: "getInstallation\(suffix)",
                summary: "One installation; an empty object when there is none", access: .app, query: [keys],
                answer: "Installation", isBatchable: true, handler: InstallationHandlers.get),
            APIOperation(
                method: "PUT", pattern: path + "/:id", id: "updateInstallation\(suffix)",
                summary: "Changes an installation", access: .app, query: [condition, fetch],
                body: "InstallationChange", answer: "Saved", isBatchable: true,
                handler: InstallationHandlers.update),
            APIOperation(
                method: "DELETE", pattern: path + "/:id", id: "deleteInstallation\(suffix)",
                summary: "Deletes an installation", access: masterOfClass, query: [condition],
                answer: "Empty",
                isBatchable: true, handler: InstallationHandlers.delete),
        ]
    }

    private static let batches = [
        APIOperation(
            method: "POST", pattern: "/1.1/batch", id: "batch", summary: "Several requests in one",
            access: .app, body: "Batch", answer: "BatchResults", handler: BatchHandlers.batch),
        APIOperation(
            method: "POST", pattern: "/1.1/batch/save", id: "batchSave",
            summary: "Saves several objects, as the Swift and Objective-C SDKs do", access: .app,
            body: "Batch",
            answer: "SavedByID", handler: BatchHandlers.save),
    ]

    // MARK: - Pushes

    private static let pushes = [
        APIOperation(
            method: "POST", pattern: "/1.1/push", id: "push", summary: "Sends to the devices of a query",
            access: .app, body: "Push", answer: "PushAccepted", isBatchable: true, handler: PushHandlers.send),
        APIOperation(
            method: "POST", pattern: "/1.1/push/devices", id: "pushDevices",
            summary: "Sends to device tokens", access: .app, body: "DevicePush", answer: "PushAccepted",
            handler: PushHandlers.sendToDevices),
        APIOperation(
            method: "POST", pattern: "/1.1/pushes/:id/pause", id: "pausePush", summary: "Pauses a push",
            access: master, answer: "PushState", handler: PushHandlers.pause),
        APIOperation(
            method: "POST", pattern: "/1.1/pushes/:id/resume", id: "resumePush",
            summary: "Goes on with a push that was paused or stopped", access: master, answer: "PushState",
            handler: PushHandlers.resume),
        APIOperation(
            method: "POST", pattern: "/1.1/pushes/:id/cancel", id: "cancelPush",
            summary: "Sends no more of a push", access: master, answer: "PushState",
            handler: PushHandlers.cancel),
        APIOperation(
            method: "GET", pattern: "/1.1/explain", id: "explain",
            summary: "Why a device did or did not get a push", access: master,
            query: [
                Parameter(name: "push", summary: "The push's or record's id."),
                Parameter(name: "installation", summary: "The installation's objectId."),
            ], answer: "Explanation", handler: ExplainHandler.explain),
    ]

    // MARK: - Records

    private static let records =
        ["/1.1/notifications", "/1.1/tables/Notifications", "/1.1/classes/_Notification"].enumerated().flatMap
    {
        index, path in
        let suffix = ["", "OfTable", "Object"][index]
        return [
            APIOperation(
                method: "GET", pattern: path, id: "listNotifications\(suffix)",
                summary: "Delivery records, newest first", access: master, query: [limit, skip],
                answer: "NotificationList", isBatchable: true, handler: RecordHandlers.list),
            APIOperation(
                method: "GET", pattern: path + "/:id", id: "getNotification\(suffix)",
                summary: "A delivery record; an empty object when there is none", access: master,
                answer: "Notification", isBatchable: true, handler: RecordHandlers.get),
        ]
    } + [
        APIOperation(
            method: "DELETE", pattern: "/1.1/notifications/:id", id: "deleteNotification",
            summary: "Cancels what is still queued and removes the record", access: master, answer: "Empty",
            isBatchable: true, handler: RecordHandlers.delete),
        APIOperation(
            method: "GET", pattern: "/1.1/scheduledPushMessages", id: "listScheduledMessages",
            summary: "Messages whose time has not come", access: master, answer: "ScheduledMessageList",
            handler: RecordHandlers.scheduled),
        APIOperation(
            method: "GET", pattern: "/1.1/scheduledPushMessages/:id", id: "getScheduledMessage",
            summary: "A message whose time has not come", access: master, answer: "ScheduledMessage",
            handler: RecordHandlers.getScheduled),
        APIOperation(
            method: "DELETE", pattern: "/1.1/scheduledPushMessages/:id", id: "deleteScheduledMessage",
            summary: "Cancels a message whose time has not come", access: master, answer: "Empty",
            handler: RecordHandlers.deleteScheduled),
    ]

    // MARK: - Analytics

    private static let analytics =
        [
            APIOperation(
                method: "POST", pattern: "/1.1/events", id: "recordEvents",
                summary: "What people do in the app, which raises their interests", access: .app,
                body: "Events", answer: "EventsAccepted", handler: AnalyticsHandlers.events),
            APIOperation(
                method: "GET", pattern: "/1.1/events", id: "listEvents",
                summary: "The latest events of an installation", access: master,
                query: [
                    Parameter(name: "installation", summary: "The installation's objectId."), limit,
                ], answer: "EventList", handler: AnalyticsHandlers.listEvents),
        ]
        + [
            ("/1.1/stats/collect", "collectStatistics"), ("/1.1/stats/open/collect", "collectOpenStatistics"),
            ("/1.1/statistics/:kind", "collectStatisticsOfKind"),
            ("/1.1/statistics/:kind/:part", "collectStatisticsOfPart"),
            ("/1.1/statistics/:kind/:part/:detail", "collectStatisticsOfDetail"),
        ].map { path, id in
            APIOperation(
                method: "POST", pattern: path, id: id,
                summary: "Analytics of older SDKs: taken, and openings of notifications are counted",
                access: .app, body: "Statistics", answer: "Empty", handler: AnalyticsHandlers.collect)
        }

    // MARK: - The service

    private static let service = [
        APIOperation(
            method: "GET", pattern: "/1.1/date", id: "date", summary: "The service's time", access: .anyone,
            answer: "Date", isBatchable: true, handler: AnalyticsHandlers.date),
        APIOperation(
            method: "GET", pattern: "/healthz", id: "health", summary: "Whether the process runs",
            access: .anyone, answer: "Status", handler: ServiceHandlers.health),
        APIOperation(
            method: "GET", pattern: "/readyz", id: "ready", summary: "Whether the service can do its work",
            access: .anyone, answer: "Status", handler: ServiceHandlers.ready),
        APIOperation(
            method: "GET", pattern: "/metrics", id: "metrics", summary: "Metrics for Prometheus",
            access: .anyone, answer: "Text", handler: ServiceHandlers.metrics),
        APIOperation(
            method: "GET", pattern: "/openapi.json", id: "openAPI", summary: "This document", access: .anyone,
            answer: "Any", handler: ServiceHandlers.openAPI),
    ]
}
