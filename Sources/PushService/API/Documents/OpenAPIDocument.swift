internal import APNs

/// The API's description in OpenAPI 3.1, made from the table of operations.
enum OpenAPIDocument {
    static func json(_ operations: [APIOperation]) -> JSONValue {
        var paths: [String: [String: JSONValue]] = [:]
        for operation in operations {
            paths[path(operation), default: [:]][operation.method.lowercased()] = describe(operation)
        }
        return [
            "openapi": "3.1.0",
            "info": [
                "title": "Belfry", "version": "1.1",
                "summary": "A push service with LeanCloud's REST contract",
            ],
            "paths": .object(paths.mapValues(JSONValue.object)),
            "components": [
                "schemas": .object(OpenAPISchemas.all),
                "securitySchemes": [
                    "appID": header("X-LC-Id", "The app's id."),
                    "key": header("X-LC-Key", "The app key, or the master key followed by ',master'."),
                    "signature": header(
                        "X-LC-Sign",
                        "Instead of the key: md5(<milliseconds><key>),<milliseconds>, with ',master' for the master key."
                    ),
                ],
            ],
        ]
    }

    /// `/1.1/pushes/{id}` for `/1.1/pushes/:id`.
    static func path(_ operation: APIOperation) -> String {
        "/"
            + operation.segments.map { $0.first == ":" ? "{\($0.dropFirst())}" : String($0) }
            .joined(separator: "/")
    }

    private static func describe(_ operation: APIOperation) -> JSONValue {
        var parameters: [JSONValue] = operation.segments.filter { $0.first == ":" }.map {
            [
                "name": .string(String($0.dropFirst())), "in": "path", "required": true,
                "schema": ["type": "string"],
            ]
        }
        parameters += operation.query.map {
            [
                "name": .string($0.name), "in": "query", "description": .string($0.summary),
                "schema": ["type": "string"],
            ]
        }
        var members: [String: JSONValue] = [
            "operationId": .string(operation.id), "summary": .string(operation.summary),
            "parameters": .array(parameters),
            "responses": .object([
                String(operation.status): [
                    "description": "Success",
                    "content": [
                        operation.answer == "Text" ? "text/plain" : "application/json": [
                            "schema": reference(operation.answer)
                        ]
                    ],
                ],
                "default": [
                    "description": "Failure", "content": ["application/json": ["schema": reference("Error")]],
                ],
            ]),
        ]
        switch operation.access {
        case .anyone: members["security"] = []
        case .app: members["security"] = [["appID": [], "key": []], ["appID": [], "signature": []]]
        case .master:
            members["security"] = [["appID": [], "key": []], ["appID": [], "signature": []]]
            members["description"] = "Needs the master key."
        }
        if let body = operation.body {
            members["requestBody"] = [
                "required": true, "content": ["application/json": ["schema": reference(body)]],
            ]
        }
        return .object(members)
    }

    private static func reference(_ name: String) -> JSONValue {
        ["$ref": .string("#/components/schemas/\(name)")]
    }

    private static func header(_ name: String, _ description: String) -> JSONValue {
        ["type": "apiKey", "in": "header", "name": .string(name), "description": .string(description)]
    }
}
