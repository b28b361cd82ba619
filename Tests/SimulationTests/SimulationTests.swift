import FoundationEssentials
import Testing

#if canImport(Dispatch)
import Dispatch
#endif

/// Many small worlds, each made by its seed; ``Simulation`` says what is checked in each.
@Suite(.timeLimit(.minutes(20))) struct SimulationTests {
    /// How many seeds are run when nobody says how many.
    static let seedCount = 2000
    /// Seeds are shared between so many threads.
    static let threadCount = 2

    static func number(_ variable: String) -> UInt64? {
        ProcessInfo.processInfo.environment[variable].flatMap(UInt64.init)
    }

    /// Runs a simulation on a thread of its own, since it does not wait for anybody.
    static func onOwnThread<Success: Sendable>(_ body: @escaping @Sendable () -> Success) async -> Success {
        await withCheckedContinuation { continuation in
            DispatchQueue(label: "simulation").async { continuation.resume(returning: body()) }
        }
    }

    static func report(_ seed: UInt64, _ failures: [String]) {
        for failure in failures {
            Issue.record(
                """
                seed \(seed): \(failure)
                replay with: BELFRY_SIMULATION_SEED=\(seed) swift test --filter SimulationTests
                """)
        }
    }

    /// What became of some seeds.
    struct Tally: Sendable {
        var stepCount = 0
        var transactionCount = 0
        var notificationCount = 0
        var failures: [(seed: UInt64, texts: [String])] = []

        /// Runs seeds until some have failed.
        static func run(_ seeds: [UInt64]) throws -> Tally {
            var tally = Tally()
            for seed in seeds where tally.failures.count < 5 {
                let result = try Simulation.run(seed, isTracing: false)
                tally.stepCount += result.stepCount
                tally.transactionCount += result.transactionCount
                tally.notificationCount += result.notificationCount
                guard !result.failures.isEmpty else { continue }
                tally.failures.append((seed, result.failures))
                print("simulation: seed \(seed) failed: \(result.failures[0])")
            }
            return tally
        }
    }

    @Test(arguments: 0..<threadCount) func `nothing is lost or shown twice in any of many worlds`(
        _ part: Int
    ) async throws {
        if let seed = Self.number("BELFRY_SIMULATION_SEED") {
            guard part == 0 else { return }
            let result = try await Self.onOwnThread {
                Swift.Result { try Simulation.run(seed, isTracing: true) }
            }
            .get()
            for line in result.trace { print(line) }
            return Self.report(seed, result.failures)
        }
        let count = Int(Self.number("BELFRY_SIMULATION_COUNT") ?? UInt64(Self.seedCount))
        let first = Self.number("BELFRY_SIMULATION_FIRST") ?? 1
        let seeds = stride(from: part, to: count, by: Self.threadCount).map { first + UInt64($0) }
        let tally = try await Self.onOwnThread { Swift.Result { try Tally.run(seeds) } }.get()
        for (seed, failures) in tally.failures { Self.report(seed, failures) }
        print(
            "simulation: \(seeds.count) seeds, \(tally.stepCount) steps, \(tally.transactionCount) transactions, "
                + "\(tally.notificationCount) notifications")
        #expect(tally.notificationCount > 0)
    }

    @Test func `a seed gives the same run again`() async throws {
        let first = Self.number("BELFRY_SIMULATION_SEED") ?? 7
        for seed in first..<first + 20 {
            let runs = try await Self.onOwnThread {
                Swift.Result { try (0..<2).map { _ in try Simulation.run(seed, isTracing: true) } }
            }.get()
            #expect(runs[0].trace == runs[1].trace && runs[0].digest == runs[1].digest, "seed \(seed)")
        }
    }
}

extension Simulation {
    /// Runs the world of a seed to its end.
    static func run(_ seed: UInt64, isTracing: Bool) throws -> Result {
        try Simulation(seed: seed, isTracing: isTracing).run()
    }
}
