#if canImport(VirtualPhone)
internal import APNs
internal import APNsClient
internal import APNsGateway
internal import PushConsole
internal import PushService
internal import PushStore
internal import Recurrence

/// The push service of a demo: an app with keys that can be typed, a credential of the gateway's, and a user of the
/// console.
enum DemoService {
    static let appID = "demo0000"
    static let appKey = "demo0000-app-key"
    static let masterKey = "demo0000-master-key"
    static let userName = "demo"
    static let password = "belfry-demo"

    /// Makes app, credential and user where they are missing, also where an earlier start was broken off between two.
    static func prepare(
        _ store: any Store, gateway: Gateway.Addresses, now: Instant
    ) async throws -> App {
        let known = try await store.apps().first { $0.id == appID }
        let app: App
        if let known {
            app = known
        } else {
            app = try await store.createApp(
                id: appID, name: "News", topic: NewsApp.topic, appKey: appKey, masterKey: masterKey, now: now)
        }
        if try await store.credentials(app: app.number).isEmpty {
            let credential = try PushCredential(
                p8: try InputFile.read(gateway.signingKeyPath), keyID: gateway.keyID, teamID: gateway.teamID,
                environments: [.production, .sandbox], now: now)
            _ = try await store.addCredential(credential, app: app.number)
        }
        if try await store.consoleUsers().isEmpty {
            try await store.addConsoleUser(
                ConsoleUser(
                    name: userName, role: .owner, passwordHash: await PasswordHash.make(password),
                    createdAt: now), onlyFirst: true)
        }
        return app
    }

    /// Both of the gateway's services, in the place of Apple's.
    static func endpoints(_ gateway: Gateway.Addresses) throws(CommandError) -> ClientDirectory.Endpoints {
        let trust = try EndpointOptions.trust(gateway.authorityPath)
        do {
            return ClientDirectory.Endpoints(
                production: try Endpoint(url: gateway.production ?? "", trust: trust),
                sandbox: try Endpoint(url: gateway.sandbox ?? "", trust: trust))
        } catch {
            throw .failed("\(error)")
        }
    }
}
#endif
