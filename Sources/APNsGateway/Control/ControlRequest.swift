internal import APNs
internal import Transport

/// A request of the control API with the values of its path.
struct ControlRequest: Sendable {
    let request: HTTPRequest
    let parameters: PathParameters

    /// The fields of the JSON body.
    func fields(_ allowed: String...) throws(GatewayError) -> ControlFields {
        try ControlFields(json: request.body, allowed: allowed)
    }

    /// The values of the query.
    func query(_ allowed: String...) throws(GatewayError) -> ControlFields {
        try ControlFields(query: request.query, allowed: allowed)
    }

    /// The device the path names.
    func device() throws(GatewayError) -> DeviceID {
        let text = parameters["id"]
        guard let id = DeviceID(text) else {
            throw GatewayError(
                code: .deviceNotFound,
                message: "there is no device \"\(text.prefix(40))\": ids have 16 hexadecimal digits")
        }
        return id
    }
}

extension ControlFields {
    /// The app that `topic` and `environment` name; nil when there is no topic, which means all apps.
    func app() throws(GatewayError) -> AppSelector? {
        let environment = try environment()
        guard let topic = try topic() else {
            guard environment == nil else {
                throw missing("topic", allowed: "a topic beside environment, or neither")
            }
            return nil
        }
        return AppSelector(bundleID: topic.bundleID, environment: environment)
    }
}

extension HTTPResponse {
    /// Answers a value.
    init(json value: JSONValue, status: Int = 200) {
        self = .json(ControlJSON.encode(value), status: status)
    }

    /// Answers an error.
    init(_ error: GatewayError) {
        var members: [String: JSONValue] = ["error": .string(error.message)]
        members["field"] = error.field.map { .string($0) }
        self.init(json: .object(members), status: error.httpStatus)
    }
}

extension GatewayError {
    /// The status of the control API's answer.
    var httpStatus: Int {
        switch code {
        case .invalidField: 400
        case .notFound, .deviceNotFound, .appNotFound, .tokenNotFound, .channelNotFound: 404
        case .deviceOffline, .limitReached, .conflict, .unavailable: 409
        default: 500
        }
    }
}
