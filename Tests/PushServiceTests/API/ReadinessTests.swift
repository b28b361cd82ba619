import Synchronization
import Testing

@testable import PushService

@Suite(.timeLimit(.minutes(5)))
struct ReadinessTests {
    @Test(arguments: [true, false])
    func `what the database says is passed on`(isReady: Bool) async {
        #expect(await Readiness { isReady }.isReady() == isReady)
    }

    @Test func `a database that says nothing is not waited for, and is asked once however many ask`() async {
        let askCount = Mutex(0)
        let (answers, answer) = AsyncStream.makeStream(of: Bool.self)
        let readiness = Readiness(patience: Patience(limit: .milliseconds(10))) {
            askCount.withLock { $0 += 1 }
            var iterator = answers.makeAsyncIterator()
            return await iterator.next() ?? false
        }
        for _ in 0..<5 { #expect(await readiness.isReady() == false) }
        #expect(askCount.withLock { $0 } == 1)
        // Once it answers it is asked anew.
        answer.yield(true)
        answer.yield(true)
        while await !readiness.isReady() {}
        answer.finish()
    }
}
