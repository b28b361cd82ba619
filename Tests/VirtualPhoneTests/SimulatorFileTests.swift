import APNs
import Testing

@testable import VirtualPhone

@Suite(.timeLimit(.minutes(5))) struct SimulatorFileTests {
    static let wrong: [(text: String, says: String)] = [
        ("", "not JSON"),
        ("{", "not JSON"),
        ("[]", "an array"),
        (#"{"alert": "Hello"}"#, "no key aps"),
        (#"{"aps": "Hello"}"#, "aps: found"),
        (#"{"aps": {"alert": 5}}"#, "alert"),
        (#"{"aps": {"alert": "\#(String(repeating: "x", count: 4_096))"}}"#, "at most 4096"),
    ]

    @Test(arguments: wrong) func `what no device takes is refused with its reason`(
        text: String, says: String
    ) async throws {
        let bench = try await Bench()
        let error = await #expect(throws: PhoneError.self) {
            try await bench.phone.push(file: Array(text.utf8), to: Bench.app)
        }
        #expect(error?.code == .push)
        #expect(error?.message.contains(says) == true, "\(error?.message ?? "")")
        #expect(bench.phone.journal(.received) == [])
    }

    @Test func `the file names its app, and the caller overrules it`() async throws {
        let bench = try await Bench()
        let text = #"{"Simulator Target Bundle": "com.example.App", "aps": {"alert": "Hello"}, "n": 3}"#
        try await bench.phone.push(file: Array(text.utf8))
        #expect(bench.bodies == ["Hello"])
        let other = text.replacing("com.example.App", with: "com.example.Other")
        let unknown = await #expect(throws: PhoneError.self) {
            try await bench.phone.push(file: Array(other.utf8))
        }
        #expect(unknown?.code == .app)
        #expect(unknown?.message.contains("com.example.Other") == true)
        try await bench.phone.push(file: Array(other.utf8), to: Bench.app)
        #expect(bench.bodies == ["Hello", "Hello"])
        let nameless = await #expect(throws: PhoneError.self) {
            try await bench.phone.push(file: Array(#"{"aps": {"alert": "Hello"}}"#.utf8))
        }
        #expect(nameless?.message.contains("Simulator Target Bundle") == true)
    }

    @Test func `pushes from outside that make no sense are written down and dropped`() async throws {
        let bench = try await Bench()
        for text in ["", "{", "{}", #"{"aps": 1}"#, #"{"aps": {"badge": "many"}}"#] {
            await bench.phone.receive(
                RemotePush(bundleIdentifier: Bench.app, payload: Array(text.utf8), identifier: "x"))
        }
        await bench.phone.receive(
            RemotePush(
                bundleIdentifier: Bench.app, payload: Array(#"{"aps": {"alert": "Ring"}}"#.utf8),
                identifier: "x", pushType: .voip))
        await bench.phone.receive(
            RemotePush(
                bundleIdentifier: "com.example.None", payload: Array(#"{"aps": {"alert": "Ring"}}"#.utf8),
                identifier: "x"))
        #expect(bench.bodies == [])
        #expect(bench.phone.journal(.dropped).count >= 6)
    }
}
