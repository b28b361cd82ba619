import APNs
import APNsGateway
import Testing

struct ControlAppTests {
    let fixture = ControlFixture()

    @Test func `a phone gets another app, and registering again gives the same token`() async throws {
        let (id, first) = try await fixture.addDevice()
        let body = #"{"topic":"com.example.other","environment":"sandbox"}"#
        let new = await fixture.send("POST", "/devices/\(id)/registrations", body)
        #expect(new.status == 201 && new["new"] == true)
        #expect(new.string("token") != first.hexString)
        let again = await fixture.send("POST", "/devices/\(id)/registrations", body)
        #expect(again.status == 200 && again["new"] == false)
        #expect(again.string("token") == new.string("token"))
        _ = await fixture.send("PATCH", "/devices/\(id)", #"{"online":false}"#)
        let offline = await fixture.send("POST", "/devices/\(id)/registrations", body)
        #expect(offline.status == 409 && offline.error.contains("offline"))
    }

    @Test func `a token is given up by its digits`() async throws {
        let (id, token) = try await fixture.addDevice()
        let path = "/devices/\(id)/registrations/"
        #expect(await fixture.send("DELETE", path + "zz").status == 400)
        #expect(await fixture.send("DELETE", path + "00ff").status == 404)
        #expect(await fixture.send("DELETE", path + token.hexString.uppercased()).status == 204)
        #expect(fixture.push(token, 1) == .discarded(.removalNoticed))
    }

    @Test func `reinstalling answers the new tokens`() async throws {
        let (id, old) = try await fixture.addDevice()
        let answer = await fixture.send("POST", "/devices/\(id)/reinstall")
        let registration = try #require(answer.list("registrations").first)
        #expect(answer.list("registrations").count == 1)
        #expect(registration["topic"] == "com.example.app" && registration["state"] == "live")
        #expect(registration["token"] != .string(old.hexString))
        #expect(fixture.push(old, 1) == .discarded(.removalNoticed))
        #expect(await fixture.send("POST", "/devices/\(id)/reinstall", #"{"topic":"x"}"#).status == 404)
    }

    @Test func `a backup is restored on a new phone`() async throws {
        let (id, _) = try await fixture.addDevice()
        let answer = await fixture.send("POST", "/devices/\(id)/restore", #"{"name":"new"}"#)
        #expect(answer.status == 201 && answer.string("name") == "new")
        #expect(answer.string("id") != id)
        #expect(answer.list("apps").first?["installed"] == true)
        #expect(await fixture.send("GET", "/devices/\(id)").list("apps").first?["installed"] == false)
    }

    @Test(arguments: [("launch", 2), ("quit", 1)])
    func `a held push is delivered at launch and lost when the app is forced to quit`(
        action: String, count: Int
    )
        async throws
    {
        var policy = DevicePolicy()
        policy.backgroundPushesPerApp = .init(count: 1, milliseconds: 3_600_000)
        let fixture = ControlFixture(policy: policy)
        let (id, token) = try await fixture.addDevice()
        for number in 1...2 { fixture.push(token, UInt64(number), pushType: .background) }
        #expect(await fixture.send("GET", "/devices/\(id)").list("apps").first?["held"] != nil)
        #expect(await fixture.send("POST", "/devices/\(id)/\(action)", "{}").status == 204)
        #expect(
            await fixture.send("GET", "/devices/\(id)/notifications").list("notifications").count == count)
    }

    @Test func `a phone follows a channel and stops following it`() async throws {
        let (id, token) = try await fixture.addDevice()
        let channel = try #require(
            fixture.hub.withRegistries { registries, random, now in
                registries.channels.create(
                    bundleID: "com.example.app", environment: .sandbox, storagePolicy: .mostRecentMessage,
                    at: now,
                    using: &random)
            })
        let path = "/devices/\(id)/subscriptions"
        let body = #"{"token":"\#(token.hexString)","channel":"\#(channel)"}"#
        #expect(await fixture.send("POST", path, body).status == 204)
        #expect(
            await fixture.send("POST", path, #"{"token":"\#(token.hexString)"}"#).error.contains(
                "channel: found nothing"))
        #expect(
            await fixture.send("POST", path, #"{"channel":"AAAA"}"#).error.contains("token: found nothing"))
        #expect(
            await fixture.send("POST", path, #"{"token":"\#(token.hexString)","channel":"%"}"#).status == 400)
        #expect(
            await fixture.send("POST", path, #"{"token":"\#(token.hexString)","channel":"AAAA"}"#).status
                == 404)

        let listed = await fixture.send("GET", "/channels?topic=com.example.app").list("channels")
        #expect(listed.map { $0["id"] } == [.string(channel.rawValue)])
        #expect(listed.first?["subscribers"] == 1 && listed.first?["message_storage_policy"] == 1)
        #expect(await fixture.send("GET", "/channels?topic=other").list("channels").isEmpty)

        let query = "?token=\(token.hexString)&channel=\(channel)"
        #expect(await fixture.send("DELETE", path + query).status == 204)
        #expect(await fixture.send("DELETE", path + query).status == 404)

        #expect(
            await fixture.send("PATCH", "/channels", #"{"topic":"com.example.app","broadcasts":false}"#)
                .status == 204)
        #expect(await fixture.send("GET", "/channels").list("channels").isEmpty)
        #expect(await fixture.send("PATCH", "/channels", #"{"topic":"com.example.app"}"#).status == 400)
    }
}
