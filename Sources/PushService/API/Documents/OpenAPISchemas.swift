internal import APNs

/// The bodies and answers of the API as JSON schemas, by the names the table of operations uses.
enum OpenAPISchemas {
    static let all: [String: JSONValue] = values.merging(requests) { _, last in last }
        .merging(answers) { _, last in last }

    private static let string: JSONValue = ["type": "string"]
    private static let integer: JSONValue = ["type": "integer"]
    private static let boolean: JSONValue = ["type": "boolean"]
    private static let any: JSONValue = ["type": "object"]

    private static func object(
        _ properties: [String: JSONValue], required: [String] = []
    ) -> JSONValue {
        [
            "type": "object", "properties": .object(properties),
            "required": .array(required.map(JSONValue.string)),
        ]
    }

    private static func array(_ items: JSONValue) -> JSONValue { ["type": "array", "items": items] }

    private static func reference(_ name: String) -> JSONValue {
        ["$ref": .string("#/components/schemas/\(name)")]
    }

    private static func text(_ description: String) -> JSONValue {
        ["type": "string", "description": .string(description)]
    }

    // MARK: - Values

    private static let values: [String: JSONValue] = [
        "Any": [:],
        "Empty": object([:]),
        "Text": string,
        "Status": object(["status": string], required: ["status"]),
        "Error": object(["code": integer, "error": string], required: ["code", "error"]),
        "Date": object(["__type": ["const": "Date"], "iso": string], required: ["__type", "iso"]),
        "Installation": object([
            "objectId": string, "createdAt": string, "updatedAt": string,
            "deviceType": text("ios, macos, tvos, watchos; others are stored and never sent to."),
            "deviceToken": string, "installationId": string, "apnsTopic": string, "apnsTeamId": string,
            "deviceProfile": string, "timeZone": text("An IANA name."), "badge": integer,
            "channels": array(string), "valid": boolean,
            "environment": ["enum": ["production", "sandbox"]],
        ]),
        "Notification": object(
            [
                "objectId": string, "notificationId": string, "createdAt": string, "updatedAt": string,
                "status": ["enum": ["scheduled", "in-queue", "done"]], "errors": string, "devices": integer,
                "successes": integer, "invalidTokens": integer, "pending": integer,
                "receipts": integer, "opens": integer,
                "msg": any, "where": any, "prod": ["enum": ["prod", "dev"]], "push-time": string,
                "from-service": string, "reasons": any, "timings": any, "pushes": array(any),
            ]),
        "ScheduledMessage": object([
            "id": integer, "expire_time": integer, "createdAt": string, "push_msg": any,
        ]),
    ]

    // MARK: - Requests

    private static let common: [String: JSONValue] = [
        "data": ["type": "object", "description": "What the devices get."],
        "expiration_time": text("Until when a device may get it."), "expiration_interval": integer,
        "prod": ["enum": ["prod", "dev"]], "topic": string, "apns_team_id": string,
        "device_profile": string, "notification_id": text("Pushes with the same one share a record."),
        "req_id": text("Within five minutes the same one is the same push."), "dry_run": boolean,
        "ignore_quiet_hours": boolean, "ignore_frequency_cap": boolean, "late_minutes": integer,
    ]

    private static let requests: [String: JSONValue] = [
        "InstallationChange": [
            "type": "object",
            "description": "Values by key, or operators such as {\"__op\": \"Increment\", \"amount\": 1}.",
        ],
        "Batch": object(
            [
                "requests": array(
                    object(
                        ["method": string, "path": string, "body": any, "params": any],
                        required: ["method", "path"]))
            ], required: ["requests"]),
        "Push": object(
            common.merging([
                "where": any, "channels": ["oneOf": [string, array(string)]], "cql": string,
                "push_time": text("A time with a zone, or without one for each device's local time."),
                "flow_control": integer,
                "schedule": object(
                    [
                        "rrule": string, "timezone": string, "start": string, "until": string,
                        "count": integer, "exdates": array(string),
                    ], required: ["rrule"]), "digest": any, "test": boolean,
            ]) { _, last in last }, required: ["data"]),
        "DevicePush": object(
            common.merging(["device_type": ["const": "ios"], "device_ids": array(string)]) { _, last in last
            },
            required: ["data", "device_type", "device_ids"]),
        "Events": object([
            "installation": string, "installationId": string, "deviceToken": string, "name": string,
            "tags": [:], "article": string, "at": string, "properties": any,
            "events": array(any),
        ]),
        "Statistics": any,
    ]

    // MARK: - Answers

    private static let answers: [String: JSONValue] = [
        "Saved": object(
            ["objectId": string, "createdAt": string, "updatedAt": string], required: ["objectId"]),
        "SavedByID": ["type": "object", "additionalProperties": reference("Saved")],
        "InstallationList": object(
            ["results": array(reference("Installation")), "count": integer, "className": string],
            required: ["results"]),
        "InstallationScan": object(
            ["results": array(reference("Installation")), "cursor": string], required: ["results"]),
        "BatchResults": array(object(["success": [:], "error": reference("Error")])),
        "PushAccepted": object(
            [
                "objectId": string, "createdAt": string, "pushId": string, "dryRun": boolean,
                "devices": integer, "audience": any, "findings": array(any), "predictedEnd": string,
            ]),
        "PushState": object(
            ["objectId": string, "pushId": string, "state": string, "updatedAt": string],
            required: ["pushId", "state"]),
        "NotificationList": object(["results": array(reference("Notification"))], required: ["results"]),
        "ScheduledMessageList": object(
            ["results": array(reference("ScheduledMessage"))], required: ["results"]),
        "EventList": object(
            [
                "results": array(
                    object(
                        ["name": string, "at": string, "article": string, "properties": any],
                        required: ["name", "at"]))
            ], required: ["results"]),
        "EventsAccepted": object(["accepted": integer], required: ["accepted"]),
        "Explanation": object(
            [
                "stoppedAt": string,
                "steps": array(
                    object(
                        [
                            "step": string, "state": ["enum": ["passed", "failed", "open"]], "detail": string,
                            "reasons": array(object(["reason": string, "values": array(string)])),
                        ])),
            ], required: ["steps"]),
    ]
}
