import APNs
import APNsClient
import Crypto
import Foundation
import Testing
import Transport
import VirtualPhone

@testable import APNsGateway

/// A gateway in this process with a provider, for phones that are linked to it.
struct GatewayWorld: Sendable {
    let gateway: Gateway
    let client: APNsClient

    static func run<Success>(
        configure: (inout GatewayConfiguration) -> Void = { _ in },
        _ body: (GatewayWorld) async throws -> Success
    ) async throws -> Success {
        let folder = FileManager.default.temporaryDirectory.path + "/belfry-phone-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var configuration = GatewayConfiguration(folder: folder)
        configuration.productionPort = 0
        configuration.sandboxPort = nil
        configuration.controlPort = 0
        configuration.hasVirtualClock = true
        configure(&configuration)
        let gateway = try await Gateway.start(configuration)
        let result: Result<Success, any Error>
        do {
            let source = try ProviderTokenSource(
                keyID: gateway.addresses.keyID, teamID: gateway.addresses.teamID,
                signingKey: gateway.identity.signingKey)
            let endpoint = try Endpoint(
                url: gateway.addresses.production ?? "",
                trust: .certificates([gateway.identity.authority.certificate]))
            let client = try APNsClient(.init(endpoint: endpoint, credential: .token(source)))
            result = .success(try await body(GatewayWorld(gateway: gateway, client: client)))
            await client.shutdown()
        } catch {
            result = .failure(error)
        }
        await gateway.stop(deadline: .milliseconds(200))
        return try result.get()
    }

    func link(_ name: String = "iPhone") -> GatewayLink {
        GatewayLink(control: gateway.addresses.control, name: name)
    }

    /// Sends an alert to the test app; gives the status.
    @discardableResult
    func send(
        _ text: String, to token: String, collapseID: String? = nil, aps: [String: JSONValue] = [:]
    ) async throws -> String {
        var members: [String: JSONValue] = ["alert": .string(text)]
        members.merge(aps) { $1 }
        let payload = try JSONValue.object(["aps": .object(members)]).encoded()
        let outcome = await client.send(
            APNs.Notification(
                token: try DeviceToken(hex: token), topic: try Topic(TestApp.bundle), payload: payload,
                collapseID: try collapseID.map { try CollapseID($0) }))
        switch outcome.result {
        case .accepted: return "accepted"
        case .rejected(let status, let reason, _): return "\(status) \(reason)"
        case .failed(let failure): return "\(failure)"
        }
    }
}

extension VirtualPhone {
    /// The device token of the test app.
    var token: String { get throws { try #require(state.app(TestApp.bundle)?.token) } }

    /// Waits until the list holds exactly these texts, newest first.
    func waitForList(_ bodies: [String]) async {
        await wait { $0.list.map(\.body) == bodies }
        await settle()
    }
}
