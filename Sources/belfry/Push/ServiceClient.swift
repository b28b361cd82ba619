internal import APNs
internal import Transport

/// The REST API of a push service, called by verbs with an app's master key.
struct ServiceClient: Sendable {
    static let service = Option.optional(
        "service", .text("URL", "a URL such as http://localhost:8080"), "The push service to ask.")
    static let app = Option.optional("app", .text("ID"), "The app's id at the service.")
    static let masterKey = Option.optional(
        "master-key", .text("KEY"),
        "The app's master key. Other users see a command line: prefer BELFRY_MASTER_KEY.")

    static let all = [service.spec, app.spec, masterKey.spec]

    private let url: String
    private let headers: [HTTPHeaders.Field]
    private let client = HTTPClient()

    /// Reads the options.
    init(_ options: ParsedOptions) throws(CommandError) {
        guard var url = options[Self.service] else { throw .usage("needs --service URL") }
        guard let app = options[Self.app] else { throw .usage("needs --app ID with --service") }
        guard let key = options[Self.masterKey] else { throw .usage("needs --master-key KEY with --service") }
        while url.hasSuffix("/") { url.removeLast() }
        self.url = url
        headers = [
            .init(name: "X-LC-Id", value: app), .init(name: "X-LC-Key", value: key + ",master"),
            .init(name: "Content-Type", value: "application/json"),
        ]
    }

    /// Makes a request and gives the answer's object.
    ///
    /// - Parameter path: with its query, escaped.
    /// - Throws: `unavailable` when no answer came, `failed` with the service's sentence when it refused.
    func call(
        _ method: String, _ path: String, _ body: JSONValue? = nil
    ) async throws(CommandError) -> JSONValue {
        var request = HTTPClientRequest(method: method, url: url + path, headers: headers)
        do throws(APNsError) {
            request.body = try body.map { body throws(APNsError) in try body.encoded() }
        } catch {
            throw .usage(error.message)
        }
        let response: HTTPClientResponse
        do throws(TransportError) {
            response = try await client.send(request)
        } catch {
            throw error.code == .argument
                ? .usage("--service: \(error.message)") : .unavailable(error.message)
        }
        guard let answer = try? JSONValue(parsing: response.body), case .object = answer else {
            throw .failed("\(url) answered \(response.status) and no JSON: it may be no push service")
        }
        guard (200...299).contains(response.status) else {
            if case .string(let message)? = answer["error"] {
                throw .failed("the service refuses (\(response.status)): \(message)")
            }
            throw .failed("the service answered \(response.status)")
        }
        return answer
    }

    /// A text as one value of a query.
    static func escaped(_ text: String) -> String {
        text.utf8.map { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x2e, 0x5f, 0x7e: String(Unicode.Scalar(byte))
            default: "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }.joined()
    }
}
