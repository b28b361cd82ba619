import APNs
import PushStore
import Testing
import Transport

@testable import PushService

@Suite struct OpenAPITests {
    @Test func `every operation has an id, a pattern and schemas of its own`() {
        let operations = APIOperations.all
        #expect(Set(operations.map(\.id)).count == operations.count)
        #expect(Set(operations.map { "\($0.method) \(OpenAPIDocument.path($0))" }).count == operations.count)
        for operation in operations {
            #expect(OpenAPISchemas.all[operation.answer] != nil, "\(operation.answer)")
            if let body = operation.body { #expect(OpenAPISchemas.all[body] != nil, "\(body)") }
        }
    }

    @Test func `the document names each operation and no reference leads nowhere`() async throws {
        try await APIFixture.with { fixture in
            let document = try await fixture.send("GET", "/openapi.json", key: .none).json
            #expect(document["openapi"] == "3.1.0")
            for operation in APIOperations.all {
                let described = document["paths"]?[OpenAPIDocument.path(operation)]?[
                    operation.method.lowercased()]
                #expect(described?["operationId"] == .string(operation.id))
            }
            var references: Set<String> = []
            Self.collect(document, into: &references)
            for reference in references {
                let name = String(reference.dropFirst("#/components/schemas/".count))
                #expect(document["components"]?["schemas"]?[name] != nil, "\(reference)")
            }
            #expect(!references.isEmpty)
        }
    }

    private static func collect(_ value: JSONValue, into references: inout Set<String>) {
        switch value {
        case .array(let elements): for element in elements { collect(element, into: &references) }
        case .object(let members):
            if case .string(let text)? = members["$ref"] { references.insert(text) }
            for member in members.values { collect(member, into: &references) }
        default: break
        }
    }

    @Test(arguments: APIOperations.all.map(\.id))
    func `every operation of the document is answered as it says`(id: String) async throws {
        let operation = try #require(APIOperations.all.first { $0.id == id })
        try await APIFixture.with { fixture in
            let example = try await OperationExample(in: fixture)
            let path = example.path(operation)
            let query = example.query(operation)
            let body = example.body(operation)

            let answer = try await fixture.send(
                operation.method, path, body, query: query, key: .master)
            #expect(answer.status == operation.status, "\(path): \(answer.text.prefix(500))")
            try Self.check(answer, operation)

            // Access: without a key, and with a client's.
            let anonymous = try await fixture.send(operation.method, path, body, query: query, key: .none)
            let client = try await fixture.send(operation.method, path, body, query: query, key: .app)
            switch operation.access {
            case .anyone: #expect(anonymous.status == 200)
            case .app: #expect(anonymous.status == 401)
            case .master(let code):
                #expect(anonymous.status == 401)
                #expect(client.status == 403 && client.code == .integer(Int64(code)))
            }
        }
    }

    /// The answer has what its schema requires, and of objects nothing that the schema does not name.
    private static func check(_ answer: APIFixture.Answer, _ operation: APIOperation) throws {
        guard operation.answer != "Text" else { return }
        let schema = try #require(OpenAPISchemas.all[operation.answer])
        guard case .object(let members) = answer.json else {
            #expect(schema["type"] == "array", "\(operation.id)")
            return
        }
        if case .array(let required)? = schema["required"] {
            for case .string(let key) in required { #expect(members[key] != nil, "\(operation.id): \(key)") }
        }
        guard case .object(let properties)? = schema["properties"] else { return }
        for key in members.keys {
            #expect(properties[key] != nil, "\(operation.id): \(key) is not described")
        }
        #expect(members["error"] == nil)
    }
}
