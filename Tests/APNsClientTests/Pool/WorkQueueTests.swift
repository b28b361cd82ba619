import Testing

@testable import APNsClient

final class WorkQueueTests {
    private var queue = WorkQueue<String>()

    @Test func `neighbours of a batch are taken together up to the limit and in order`() {
        queue.append("a", count: 5)
        queue.append("b", count: 2)
        #expect(taken(3) == ["a0", "a1", "a2"])
        #expect(taken(3) == ["a3", "a4"])
        #expect(taken(3) == ["b0", "b1"])
        #expect(taken(3) == [])
        #expect(queue.isEmpty)
    }

    @Test func `what was tried before goes ahead of what was not`() {
        queue.append("a", count: 1)
        queue.append(retry("r", 7))
        #expect(taken(9) == ["r7"])
        #expect(taken(9) == ["a0"])
    }

    @Test func `delayed retries come when they are due, earliest first`() {
        for (index, due) in [50, 10, 30, 10, 40].enumerated() {
            queue.append(retry("d", index), due: Int64(due))
        }
        #expect(queue.nextDue == 10)
        #expect(queue.count == 5)
        #expect(queue.readyCount == 0)
        queue.advance(to: 30)
        #expect(Set([taken(1)[0], taken(1)[0]]) == ["d1", "d3"])
        #expect(taken(1) == ["d2"])
        #expect(taken(1) == [])
        queue.advance(to: 100)
        #expect(taken(1) == ["d4"])
        #expect(taken(1) == ["d0"])
        #expect(queue.isEmpty)
    }

    @Test func `nothing is taken for a limit of zero and an empty batch is nothing`() {
        queue.append("a", count: 0)
        #expect(queue.isEmpty)
        queue.append("a", count: 1)
        #expect(taken(0) == [])
        #expect(queue.readyCount == 1)
    }

    @Test func `taking everything leaves nothing, due or not`() {
        queue.append("a", count: 3)
        queue.append(retry("r", 1))
        queue.append(retry("d", 2), due: 99)
        #expect(queue.takeAll().count == 3)
        #expect(queue.isEmpty)
        #expect(queue.nextDue == nil)
    }

    @Test func `a hundred thousand steps lose and double nothing`() {
        var generator = SystemRandomNumberGenerator()
        var expected = 0
        var seen: [String: Int] = [:]
        var now: Int64 = 0
        for step in 0..<100_000 {
            switch Int.random(in: 0..<5, using: &generator) {
            case 0:
                let count = Int.random(in: 1...4)
                queue.append("s\(step)-", count: count)
                expected += count
            case 1:
                queue.append(retry("r\(step)-", 0))
                expected += 1
            case 2:
                queue.append(retry("d\(step)-", 0), due: now + Int64.random(in: 0...50))
                expected += 1
            default:
                now += 1
                queue.advance(to: now)
                for name in taken(Int.random(in: 0...5)) { seen[name, default: 0] += 1 }
            }
        }
        queue.advance(to: .max)
        while case let names = taken(100), !names.isEmpty {
            for name in names { seen[name, default: 0] += 1 }
        }
        #expect(seen.count == expected)
        #expect(seen.values.allSatisfy { $0 == 1 })
    }

    @Test func `what some owners wait for is taken and the rest keeps its order and its time`() {
        queue.append("a", count: 2)
        queue.append("x", count: 3)
        queue.append("b", count: 1)
        queue.append(retry("x", 7))
        queue.append(retry("c", 0))
        queue.append(retry("d", 0), due: 100)
        queue.append(retry("x", 8), due: 50)
        queue.append(retry("e", 0), due: 60)
        #expect(takeAll(of: "x") == 5)
        #expect(queue.count == 6 && queue.readyCount == 4)
        #expect(taken(10) + taken(10) + taken(10) + taken(10) == ["c0", "a0", "a1", "b0"])
        queue.advance(to: 59)
        #expect(taken(10) == [])
        queue.advance(to: 60)
        #expect(taken(10) == ["e0"])
        queue.advance(to: 100)
        #expect(taken(10) == ["d0"])
        #expect(queue.isEmpty)
    }

    private func takeAll(of owner: String) -> Int {
        queue.takeAll { $0 == owner }.reduce(0) { sum, work in
            if case .fresh(_, let range) = work { sum + range.count } else { sum + 1 }
        }
    }

    private func retry(_ owner: String, _ index: Int) -> WorkQueue<String>.Retry {
        .init(owner: owner, index: index, attemptCount: 1, replayCount: 0)
    }

    private func taken(_ max: Int) -> [String] {
        switch queue.take(max: max) {
        case .fresh(let owner, let range): range.map { "\(owner)\($0)" }
        case .again(let retry): ["\(retry.owner)\(retry.index)"]
        case nil: []
        }
    }
}
