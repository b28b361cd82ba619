import APNs
import APNsClient
import Testing
import Transport

@testable import belfry

@Suite struct BenchTests {
    @Test(arguments: [0, 1, 63, 64, 127, 128, 129, 1000, 65_535, 1_000_000, UInt32.max])
    func `a latency falls into a bucket at most a sixty-fourth wider than it`(_ value: UInt32) {
        let upper = LatencyHistogram.upperBound(of: LatencyHistogram.bucket(of: value))
        #expect(upper >= value)
        #expect(upper - value <= value / 64)
    }

    @Test func `buckets follow each other without gaps`() {
        var bucket = -1
        for value: UInt32 in 0..<100_000 {
            let next = LatencyHistogram.bucket(of: value)
            #expect(next == bucket || next == bucket + 1)
            bucket = next
        }
    }

    @Test func `percentiles of 1 to 100 are themselves, to a bucket's width`() {
        var histogram = LatencyHistogram()
        for value: UInt32 in 1...100 { histogram.add(value) }
        #expect(histogram.percentile(0.5) == 50)
        #expect(histogram.percentile(0.99) == 99)
        #expect(histogram.percentile(1) == 100)
        #expect(histogram.percentile(0) == 1)
        #expect(histogram.max == 100)
    }

    @Test func `no value has no percentile`() {
        #expect(LatencyHistogram().percentile(0.5) == 0)
    }

    @Test func `device tokens are distinct and come again in the next run`() {
        var first = DeviceTokenSequence()
        var second = DeviceTokenSequence()
        var seen: Set<DeviceToken> = []
        for _ in 0..<10_000 {
            let token = first.next()
            #expect(token == second.next())
            if let token { seen.insert(token) }
        }
        #expect(seen.count == 10_000)
    }

    @Test(arguments: [BenchPayload.byteCountMin, 200, 4096])
    func `a payload has exactly the size asked for and passes lint`(_ size: Int) {
        let payload = BenchPayload.make(byteCount: size)
        #expect(payload.count == size)
        if size > BenchPayload.byteCountMin { #expect(Lint.payload(payload) == []) }
    }

    @Test(arguments: [
        "https://api.push.apple.com", "https://API.SANDBOX.PUSH.APPLE.COM:2197",
        "https://api.push.apple.com.",
    ])
    func `Apple is not a target`(_ url: String) async {
        let result = await CommandLineTests.run(["bench", "client", "--url", url])
        #expect(result.status == .usage)
        #expect(result.error.contains("Apple"))
    }

    @Test func `a server that is not there exits 69`() async {
        let result = await CommandLineTests.run([
            "bench", "client", "--url", "https://127.0.0.1:1", "-n", "10",
        ])
        #expect(result.status == .unavailable)
    }

    @Test func `the gateway's benchmark brings its own gateway and counts every notification`() async throws {
        let result = await CommandLineTests.run([
            "bench", "gateway", "-n", "2000", "--warm-up", "100", "-c", "2", "--json",
        ])
        #expect(result.status == .done, "\(result.error)")
        #expect(result.output.contains(#""accepted":2000,"#))
        #expect(result.output.contains(#""unanswered":0"#))
        #if os(Linux)
        #expect(result.output.contains(#""gateway_cpu_us_per_notification":"#))
        #endif
    }

    @Test(arguments: [
        (["relay"], "needs --to"), (["relay", "--to", "localhost"], "--to"),
        (["relay", "--to", "localhost:0"], "--to"),
        (["relay", "--to", "localhost:1", "--delay", "11s"], "--delay"),
        (["client"], "needs --url"), (["gateway", "--topic", "no topic"], "opic"),
        (["gateway", "-n", "0"], "--count"), (["server", "--streams", "0"], "--streams"),
    ])
    func `a mistake is named, exit 2`(_ arguments: [String], _ text: String) async {
        let result = await CommandLineTests.run(["bench"] + arguments)
        #expect(result.status == .usage)
        #expect(result.error.contains(text), "\(result.error)")
    }

    @Test func `an authority that cannot be written exits 69`() async {
        let result = await CommandLineTests.run(["bench", "server", "--ca-out", "/nowhere/at/all/ca.pem"])
        #expect(result.status == .unavailable)
        #expect(result.error.contains("/nowhere/at/all/ca.pem"))
    }

    @Test func `outcomes are counted by kind and reason`() throws {
        var tally = BenchTally()
        let error = TransportError(.timeout, "late")
        tally.count([
            Outcome(result: .accepted, latencyMicroseconds: 10),
            Outcome(result: .rejected(status: 404, reason: .badPath, timestampMilliseconds: nil)),
            Outcome(result: .rejected(status: 404, reason: .badPath, timestampMilliseconds: nil)),
            Outcome(result: .failed(.unknown(error))),
        ])
        #expect(tally.notifications == 4)
        #expect([tally.accepted, tally.refused, tally.unanswered] == [1, 2, 1])
        #expect(tally.latencies.count == 3)
        #expect(tally.reasons["404 BadPath"] == 2)
        #expect(tally.reasons.count == 2)
    }

    #if os(Linux)
    @Test func `CPU time is told apart by the names of threads`() {
        #expect(ProcessUsage.cpu(ofThreadsNamed: "no-such-thread") == nil)
        #expect(ProcessUsage.cpu(ofThreadsNamed: "") != nil)
    }
    #endif

    @Test func `a group shows its verbs`() async {
        let help = await CommandLineTests.run(["bench", "--help"])
        #expect(help.status == .done && help.output.contains("bench client"))
        let wrong = await CommandLineTests.run(["bench", "clint"])
        #expect(wrong.error.contains("bench: found 'clint'; allowed: client"))
    }
}
