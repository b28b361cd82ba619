import BelfryKit
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A real `belfry serve` of a test, with one app.
final class LiveService: Sendable {
    struct Failure: Error {
        var message: String
    }

    private struct App: Decodable {
        var id: String
        var key: String
        var masterKey: String
    }

    private struct Ready: Decodable {
        var api: String
    }

    let address: PushServiceAddress
    private let masterKey: String
    private let folder: URL
    private let process: Process

    /// The binary: that of the environment, or the one that was built with these tests.
    static let binary: URL? = {
        if let path = ProcessInfo.processInfo.environment["BELFRY"] { return URL(fileURLWithPath: path) }
        var folder = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        for _ in 0..<4 {
            folder.deleteLastPathComponent()
            let file = folder.appendingPathComponent("belfry")
            var isFolder: ObjCBool = true
            if FileManager.default.fileExists(atPath: file.path, isDirectory: &isFolder), !isFolder.boolValue
            {
                return file
            }
        }
        return nil
    }()

    init(topic: String) throws {
        guard let binary = Self.binary else { throw Failure(message: "there is no belfry") }
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        let app = try JSONDecoder().decode(
            App.self,
            from: Self.output(
                of: binary, ["app", "create", "Test", "--topic", topic, "--data", folder.path, "--json"]))
        masterKey = app.masterKey
        process = Process()
        process.executableURL = binary
        process.arguments = ["serve", "--data", folder.path, "--port", "0", "--json"]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        var line = Data()
        while line.last != UInt8(ascii: "\n") {
            let more = output.fileHandleForReading.availableData
            guard !more.isEmpty else { throw Failure(message: "the service ended") }
            line += more
        }
        guard let url = URL(string: try JSONDecoder().decode(Ready.self, from: line).api) else {
            throw Failure(message: "the service has no address")
        }
        address = PushServiceAddress(url: url, applicationID: app.id, applicationKey: app.key)
    }

    deinit {
        process.terminate()
        process.waitUntilExit()
        try? FileManager.default.removeItem(at: folder)
    }

    private static func output(of binary: URL, _ arguments: [String]) throws -> Data {
        let process = Process()
        process.executableURL = binary
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return data
    }

    /// A request with the master key.
    func master(_ method: String, _ path: String, _ body: PayloadValue? = nil) async throws -> PayloadValue {
        let response = try await LiveTransport().send(
            ServiceRequest(
                method: method, url: address.url.appendingPathComponent(path),
                headers: [
                    "Content-Type": "application/json", "X-LC-Id": address.applicationID,
                    "X-LC-Key": masterKey + ",master",
                ], body: try body.map { try JSONEncoder().encode($0) } ?? Data()))
        guard (200..<300).contains(response.status) else {
            throw Failure(message: "\(response.status) \(String(decoding: response.body, as: UTF8.self))")
        }
        return try JSONDecoder().decode(PayloadValue.self, from: response.body)
    }
}

/// HTTP for tests with a real service.
struct LiveTransport: HTTPTransport {
    func send(_ request: ServiceRequest) async throws -> ServiceResponse {
        var message = URLRequest(url: request.url)
        message.httpMethod = request.method
        if !request.body.isEmpty { message.httpBody = request.body }
        for (name, value) in request.headers { message.setValue(value, forHTTPHeaderField: name) }
        let (body, response) = try await URLSession.shared.data(for: message)
        guard let response = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
        return ServiceResponse(status: response.statusCode, body: body)
    }
}
