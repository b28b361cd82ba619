import APNs
import PushStore
import Recurrence
import SQLite
import Testing

/// Faults that the simulation found, each by itself.
@Suite(.timeLimit(.minutes(5))) struct FoundBySimulationTests {
    /// Lets something happen before one of a store's transactions.
    // @unchecked: the tests here run everything on one task, one transaction after the other.
    private final class Interruption: TransactionGate, @unchecked Sendable {
        private var passCount = 0
        private let number: Int
        private let body: () async throws -> Void

        init(before number: Int, _ body: @escaping () async throws -> Void) {
            self.number = number
            self.body = body
        }

        func enter(_ kind: TransactionPass.Kind) async throws(StoreError) -> TransactionPass {
            passCount += 1
            if passCount == number {
                do { try await body() } catch { throw StoreError(.database, "\(error)") }
            }
            return TransactionPass(kind: kind, number: passCount)
        }

        func leave(_ pass: TransactionPass) async throws(StoreError) {}
    }

    @Test(arguments: 2...4, [1, 3])
    func `an occurrence of a schedule that another node has just made is not made again, nor is the next`(
        _ transaction: Int, occurrenceCount: Int
    ) async throws {
        let now = Instant(secondsSince1970: 1_796_000_000)
        let connection = try SQLiteStore.connectionInMemory()
        let secret = StoreSecret.random()
        let other = try SQLiteStore.open(
            on: connection, secret: secret, configuration: SQLiteStore.Configuration(), gate: nil)
        let app = try await other.createApp(
            id: "news", name: "News", topic: "com.example.news", appKey: "app-key-0123456789",
            masterKey: "master-key-0123456789", now: now)
        var request = PushRequest(data: ["alert": "hello"])
        request.schedule = PushSchedule(rule: "FREQ=MINUTELY", zone: .named("UTC"), count: occurrenceCount)
        let schedule = try await other.createPush(request, app: app, now: now).push
        let due = schedule.dueAt
        // Between what it reads and what it writes, the other node does all of it.
        let store = try SQLiteStore.open(
            on: connection, secret: secret, configuration: SQLiteStore.Configuration(),
            gate: Interruption(before: transaction) { _ = try await other.advance(now: due) })
        _ = try await store.advance(now: due)
        let after = try await other.push(objectID: schedule.objectID, app: app.number)
        #expect(after?.state == (occurrenceCount == 1 ? .done : .scheduled) && after?.remarks == nil)
        let children = try await other.records(limit: 10, skip: 0, app: app.number).flatMap(\.pushes)
        #expect(children.count { $0.number != schedule.number } == 1)
    }

    @Test(arguments: [SimulatedAPNs.Weather.silent, .misconfigured])
    func `a service that ends or stops a push while answers are missing does not report again and again`(
        _ weather: SimulatedAPNs.Weather
    ) async throws {
        let result = try await SimulationTests.onOwnThread {
            Swift.Result {
                let simulation = try Simulation(seed: 1, isTracing: true) { scenario in
                    scenario = Scenario.calm
                    scenario.chunkCount = 1
                    // So that phones may be unanswered.
                    scenario.slowPerMille = 1
                }
                simulation.schedule(2_000) {
                    simulation.network.weather = weather
                    simulation.schedule(100_000_000) { simulation.network.weather = .fair }
                }
                if weather == .silent {
                    // The first notifications are on the wire by then.
                    simulation.schedule(30_000) {
                        for node in simulation.nodes {
                            node.isEnding = true
                            node.whenEnded = { simulation.startNode(node.owner) }
                            node.task?.cancel()
                        }
                    }
                }
                return simulation.run()
            }
        }.get()
        #expect(result.failures.isEmpty)
        #expect(result.notificationCount > 5 && result.transactionCount < 2_000)
    }
}
