import PushStore
import Recurrence
import Testing

@testable import PushService

@Suite(.timeLimit(.minutes(5)))
struct ReportKeeperTests {
    private static let keeper = ReportKeeper(pause: .zero)
    private static func lease() -> Instant { Instant(secondsSince1970: 7) }

    @Test(arguments: [StoreError.Code.unavailable, .uncertain, .overloaded, .full])
    func `outcomes wait for a database that is away or full, and the lease is counted anew`(
        code: StoreError.Code
    ) async throws {
        var seen: [BatchReport] = []
        let report = BatchReport(
            outcomes: [.accepted, .pending], next: .goOn(leaseUntil: Instant(secondsSince1970: 1)))
        let state = try await Self.keeper.keep(report, lease: Self.lease) { report throws(StoreError) in
            seen.append(report)
            guard seen.count > 3 else { throw StoreError(code, "not now") }
            return .running
        }
        #expect(state == .running)
        #expect(seen.count == 4)
        #expect(seen.allSatisfy { $0.outcomes == [.accepted, .pending] })
        #expect(seen.first?.next == .goOn(leaseUntil: Instant(secondsSince1970: 1)))
        #expect(seen.last?.next == .goOn(leaseUntil: Instant(secondsSince1970: 7)))
    }

    @Test func `an error of the database that may pass is met some times, and then told`() async throws {
        for (failures, isKept) in [(1, true), (9, true), (10, false)] {
            var count = 0
            do throws(StoreError) {
                _ = try await Self.keeper.keep(BatchReport(outcomes: [], next: .finish), lease: Self.lease) {
                    _ throws(StoreError) in
                    count += 1
                    guard count > failures else { throw StoreError(.database, "out of shared memory") }
                    return .done
                }
                #expect(isKept)
            } catch {
                #expect(!isKept && error.code == .database)
            }
            #expect(count == min(failures + 1, 10))
        }
    }

    @Test(arguments: [StoreError.Code.leaseLost, .invalid])
    func `a batch that another has taken over, or an error that stays, ends the attempts`(
        code: StoreError.Code
    ) async {
        var count = 0
        let error = await #expect(throws: StoreError.self) {
            _ = try await Self.keeper.keep(BatchReport(outcomes: [], next: .finish), lease: Self.lease) {
                _ throws(StoreError) in
                count += 1
                throw StoreError(code, "never")
            }
        }
        #expect(error?.code == code)
        #expect(count == 1)
    }

    @Test func `a service that is told to stop does not wait for the database`() async {
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            do throws(StoreError) {
                _ = try await Self.keeper.keep(BatchReport(outcomes: [], next: .finish), lease: Self.lease) {
                    _ throws(StoreError) in throw StoreError(.unavailable, "away")
                }
                return nil as StoreError.Code?
            } catch {
                return error.code
            }
        }
        #expect(await task.value == .unavailable)
    }
}
