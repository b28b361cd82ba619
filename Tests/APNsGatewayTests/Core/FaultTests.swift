import APNs
import Testing

@testable import APNsGateway

struct FaultTests {
    // MARK: Drawing

    @Test func `without rules nothing is drawn`() {
        let injector = FaultInjector(seed: 1)
        #expect(injector.draw() == nil)
        var plan = FaultPlan(seed: 1)
        #expect(plan.draw() == FaultDraw())
    }

    static let effects: [(FaultRule.Effect, FaultDraw.Interference)] = [
        (.reason(.tooManyRequests, status: nil), .reject(Rejection(.tooManyRequests, status: 429))),
        (.reason(.badTopic, status: 500), .reject(Rejection(.badTopic, status: 500))),
        (.goAway(.shutdown, errorCode: 2), .goAway(GoAway(.shutdown, errorCode: 2))),
        (.reset(errorCode: 7), .reset(errorCode: 7)),
        (.silence, .silence),
        (.drop, .drop),
    ]

    @Test(arguments: effects)
    func `each effect comes out as it went in`(
        effect: FaultRule.Effect, expected: FaultDraw.Interference
    ) throws {
        let injector = FaultInjector(seed: 1)
        try injector.add(FaultRule(effect, count: 2))
        #expect(injector.draw()?.interference == expected)
        #expect(injector.rules.map(\.count) == [1])
        #expect(injector.draw()?.interference == expected)
        #expect(injector.rules.isEmpty)
        #expect(injector.draw() == nil)
    }

    @Test func `delays and limits add to what interferes`() throws {
        var plan = FaultPlan(seed: 1)
        try plan.add(FaultRule(.latency(milliseconds: 10)))
        try plan.add(FaultRule(.silence))
        try plan.add(FaultRule(.latency(milliseconds: 5)))
        try plan.add(FaultRule(.maxStreams(3)))
        try plan.add(FaultRule(.maxStreams(1)))
        let draw = plan.draw()
        #expect(draw.interference == .silence)
        #expect(draw.latencyMilliseconds == 15)
        #expect(draw.maxConcurrentStreams == 1)
    }

    @Test func `the first interfering rule wins and the others keep their counts`() throws {
        var plan = FaultPlan(seed: 1)
        try plan.add(FaultRule(.drop, count: 1))
        try plan.add(FaultRule(.silence, count: 1))
        #expect(plan.draw().interference == .drop)
        #expect(plan.rules == [FaultRule(.silence, count: 1)])
        #expect(plan.draw().interference == .silence)
        #expect(plan.draw() == FaultDraw())
    }

    @Test(arguments: [0.0, 0.01, 0.5, 0.99, 1.0])
    func `a rate is met within chance`(rate: Double) throws {
        var plan = FaultPlan(seed: 99)
        try plan.add(FaultRule(.silence, rate: rate))
        let hits = (0..<20_000).count { _ in plan.draw().interference != nil }
        // Five standard deviations; at the ends exactly.
        let tolerance = 5 * (20_000 * rate * (1 - rate)).squareRoot()
        #expect(abs(Double(hits) - 20_000 * rate) <= tolerance)
    }

    @Test func `equal seeds draw equal faults`() throws {
        func draws(seed: UInt64) throws -> [Bool] {
            var plan = FaultPlan(seed: seed)
            try plan.add(FaultRule(.silence, rate: 0.3))
            return (0..<200).map { _ in plan.draw().interference != nil }
        }
        #expect(try draws(seed: 5) == draws(seed: 5))
        #expect(try draws(seed: 5) != draws(seed: 6))
    }

    @Test func `removing all faults ends them`() throws {
        let injector = FaultInjector(seed: 1)
        try injector.add(FaultRule(.silence))
        #expect(injector.draw() != nil)
        injector.removeAll()
        #expect(injector.draw() == nil)
        #expect(injector.rules.isEmpty)
    }

    @Test func `there are at most sixty-four rules`() throws {
        let injector = FaultInjector(seed: 1)
        for _ in 0..<64 { try injector.add(FaultRule(.silence)) }
        #expect(throws: GatewayError.self) { try injector.add(FaultRule(.silence)) }
        #expect(injector.rules.count == 64)
    }

    @Test func `counts are exact across threads`() async throws {
        let injector = FaultInjector(seed: 1)
        try injector.add(FaultRule(.silence, count: 1000))
        let hits = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<4 {
                group.addTask { (0..<2000).count { _ in injector.draw() != nil } }
            }
            return await group.reduce(0, +)
        }
        #expect(hits == 1000)
    }

    @Test func `a rule keeps its rate and count in bounds`() {
        #expect(FaultRule(.silence, rate: 7).rate == 1)
        #expect(FaultRule(.silence, rate: -1).rate == 0)
        #expect(FaultRule(.silence, rate: .nan).rate == 0)
        #expect(FaultRule(.silence, count: -3).count == 0)
    }

    // MARK: JSON

    static let texts: [(String, FaultRule)] = [
        (#"{"reason":"BadTopic"}"#, FaultRule(.reason(.badTopic, status: nil))),
        (#"{"reason":"Odd","status":418}"#, FaultRule(.reason(Reason("Odd"), status: 418))),
        (
            #"{"reason":"TooManyRequests","rate":0.25,"count":3}"#,
            FaultRule(.reason(.tooManyRequests, status: nil), rate: 0.25, count: 3)
        ),
        (#"{"goaway":true}"#, FaultRule(.goAway(.shutdown, errorCode: 0))),
        (#"{"goaway":"IdleTimeout","error_code":2}"#, FaultRule(.goAway(.idleTimeout, errorCode: 2))),
        (#"{"reset":true}"#, FaultRule(.reset(errorCode: 2))),
        (#"{"reset":"REFUSED_STREAM"}"#, FaultRule(.reset(errorCode: 7))),
        (#"{"reset":8,"rate":0}"#, FaultRule(.reset(errorCode: 8), rate: 0)),
        (#"{"silence":true,"rate":1}"#, FaultRule(.silence)),
        (#"{"latency_ms":250}"#, FaultRule(.latency(milliseconds: 250))),
        (#"{"max_streams":1}"#, FaultRule(.maxStreams(1))),
        (#"{"drop":true}"#, FaultRule(.drop)),
    ]

    @Test(arguments: texts)
    func `a rule is read from JSON and shown again`(text: String, rule: FaultRule) throws {
        #expect(try FaultRule(json: JSONValue(parsing: text)) == rule)
        #expect(try FaultRule(json: rule.json) == rule)
    }

    @Test(arguments: [
        "1", "[]", "null", "{}", #"{"rate":1}"#, #"{"silence":false}"#, #"{"silence":1}"#,
        #"{"silence":true,"drop":true}"#, #"{"silence":true,"x":1}"#, #"{"silence":true,"status":400}"#,
        #"{"reason":""}"#, #"{"reason":1}"#, #"{"reason":"Odd"}"#, #"{"reason":"Odd","status":200}"#,
        #"{"reason":"Odd","status":"400"}"#, #"{"latency_ms":0}"#, #"{"latency_ms":600001}"#,
        #"{"latency_ms":1.5}"#, #"{"max_streams":0}"#, #"{"max_streams":-1}"#, #"{"max_streams":2147483648}"#,
        #"{"drop":true,"rate":1.1}"#, #"{"drop":true,"rate":-0.1}"#, #"{"drop":true,"rate":"1"}"#,
        #"{"drop":true,"count":0}"#, #"{"drop":true,"count":-1}"#, #"{"drop":true,"count":1.5}"#,
        #"{"reset":"NOPE"}"#, #"{"reset":-1}"#, #"{"reset":4294967296}"#, #"{"reset":false}"#,
        #"{"goaway":false}"#, #"{"goaway":true,"error_code":"x"}"#, #"{"drop":true,"error_code":1}"#,
    ])
    func `a wrong rule is refused with words`(text: String) throws {
        let value = try JSONValue(parsing: text)
        let error = #expect(throws: GatewayError.self) { try FaultRule(json: value) }
        #expect(error?.code == .invalidField)
        #expect(error?.message.hasPrefix("a fault ") == true)
    }

    // MARK: Test tokens

    @Test(arguments: TestToken.all)
    func `a test token draws its refusal for ever`(test: TestToken) {
        var connection = TestConnection()
        for digits in [
            test.prefix, test.exampleDigits, test.exampleDigits.uppercased(), test.prefix + "ffee",
        ] {
            for _ in 0..<2 {
                let verdict = connection.push([":path": "/3/device/" + digits])
                #expect(verdict.status == test.status)
                #expect(verdict.rejection?.reason == test.reason)
                #expect((verdict.rejection?.timestampMilliseconds != nil) == (test.status == 410))
            }
        }
        #expect(connection.directory.questionCount == 0)
    }

    @Test func `the table has every documented reason of device pushes once`() {
        // Those of channels and the two that were only observed have no test token.
        let channelReasons: Set<Reason> = [
            .featureNotEnabled, .missingChannelID, .badChannelID, .channelNotRegistered, .badRequestParams,
            .badRequestPayload, .missingPushType, .cannotCreateChannelConfig, .topicMismatch,
            .missingChannelQueueSize, .broadcastFeatureNotEnabled,
        ]
        let known = TestToken.all.map(\.reason).filter(\.isKnown)
        #expect(known.count == Set(known).count)
        #expect(Set(known) == Set(Reason.known).subtracting(channelReasons))
        #expect(Set(TestToken.all.map(\.prefix)).count == TestToken.all.count)
        for test in TestToken.all where test.reason.isKnown { #expect(test.status == test.reason.status) }
        #expect(TestToken.all.first { $0.prefix == "fa11041001" }?.reason == .unregistered)
    }

    @Test func `a test token does not hide other faults of the request`() {
        var connection = TestConnection()
        let path = "/3/device/fa11050001" + String(repeating: "0", count: 54)
        #expect(connection.push([":path": path, "apns-topic": nil]).rejection == Rejection(.missingTopic))
        #expect(connection.push([":path": path], body: "").rejection == Rejection(.payloadEmpty))
        #expect(connection.push([":path": path]).rejection == Rejection(.internalServerError, status: 500))
        #expect(connection.push([":path": path + "0"]).rejection == Rejection(.badDeviceToken))
    }

    @Test(arguments: [
        "fa11", "fa1104100", "fa11041003", "fa11999999", "fa1104a001", "fb11041001", "fa12041001",
    ])
    func `other tokens are no test tokens`(digits: String) {
        #expect(withBytes(digits) { TestToken.find(digits: $0) } == nil)
    }
}
