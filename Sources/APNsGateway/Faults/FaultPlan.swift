/// The faults in force, drawn for each request from a seeded generator.
///
/// The first rule that interferes with a request decides what happens to it; delays and stream limits add
/// to that. A rule whose count is used up is gone.
package struct FaultPlan: Sendable {
    /// The most rules at a time.
    package static let ruleCountMax = 64

    /// The rules in force, with what is left of their counts.
    package private(set) var rules: [FaultRule] = []

    private var generator: SeededGenerator

    /// Makes a plan without faults; equal seeds and requests give equal faults.
    package init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
    }

    /// Adds a fault.
    /// - Throws: `limitReached` when there are too many.
    package mutating func add(_ rule: FaultRule) throws(GatewayError) {
        guard rules.count < FaultPlan.ruleCountMax else {
            throw GatewayError(
                code: .limitReached,
                message: "at most \(FaultPlan.ruleCountMax) faults can be set; remove some first")
        }
        if rule.count != 0 { rules.append(rule) }
    }

    /// Removes all faults.
    package mutating func removeAll() {
        rules = []
    }

    /// Draws what happens to the next request.
    package mutating func draw() -> FaultDraw {
        var draw = FaultDraw()
        var hasUsedUp = false
        for index in rules.indices {
            let rule = rules[index]
            if rule.isInterference, draw.interference != nil { continue }
            guard rule.rate >= 1 || generator.nextUnit() < rule.rate else { continue }
            draw.apply(rule.effect)
            guard let count = rule.count else { continue }
            rules[index].count = count - 1
            hasUsedUp = hasUsedUp || count == 1
        }
        if hasUsedUp { rules.removeAll { $0.count == 0 } }
        return draw
    }
}

extension FaultRule {
    fileprivate var isInterference: Bool {
        switch effect {
        case .latency, .maxStreams: false
        case .reason, .goAway, .reset, .silence, .drop: true
        }
    }
}

extension FaultDraw {
    fileprivate mutating func apply(_ effect: FaultRule.Effect) {
        switch effect {
        case .reason(let reason, let status): interference = .reject(Rejection(reason, status: status))
        case .goAway(let reason, let errorCode): interference = .goAway(GoAway(reason, errorCode: errorCode))
        case .reset(let errorCode): interference = .reset(errorCode: errorCode)
        case .silence: interference = .silence
        case .drop: interference = .drop
        case .latency(let milliseconds):
            latencyMilliseconds = min(
                latencyMilliseconds + milliseconds, FaultRule.latencyMillisecondsMax)
        case .maxStreams(let streams): maxConcurrentStreams = min(maxConcurrentStreams ?? streams, streams)
        }
    }
}
