import APNsGateway
import Testing

struct QueueTests {
    @Test func `a deadline queue gives devices in order of time and forgets moved deadlines`() {
        var queue = DeadlineQueue()
        #expect(queue.next() == nil)
        queue.set(30, device: 3)
        queue.set(10, device: 1)
        queue.set(20, device: 2)
        queue.set(40, device: 1)
        queue.set(nil, device: 2)
        #expect(queue.next() == 30)
        #expect(queue.popDue(at: 29) == nil)
        #expect(queue.popDue(at: 100) == 3)
        #expect(queue.popDue(at: 100) == 1)
        #expect(queue.popDue(at: 100) == nil)
        #expect(queue.next() == nil)
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `a deadline queue agrees with a plain list`(seed: UInt64) {
        var generator = SplitMix(seed: seed)
        var queue = DeadlineQueue()
        var list: [Int: Int64] = [:]
        for _ in 0..<2_000 {
            let device = Int.random(in: 0..<20, using: &generator)
            switch Int.random(in: 0..<4, using: &generator) {
            case 0:
                queue.set(nil, device: device)
                list[device] = nil
            case 1:
                let now = Int64.random(in: 0..<100, using: &generator)
                var due: Set<Int> = []
                while let device = queue.popDue(at: now) {
                    #expect(due.insert(device).inserted, "seed \(seed)")
                }
                #expect(due == Set(list.filter { $0.value <= now }.keys), "seed \(seed)")
                list = list.filter { $0.value > now }
            default:
                let time = Int64.random(in: 0..<100, using: &generator)
                queue.set(time, device: device)
                list[device] = time
            }
            #expect(queue.next() == list.values.min(), "seed \(seed)")
            #expect(queue.entryCount <= 2 * list.count + 65, "seed \(seed)")
        }
    }

    @Test(arguments: 0..<10 as Range<UInt64>)
    func `a deque agrees with an array`(seed: UInt64) {
        var generator = SplitMix(seed: seed)
        var deque = Deque<Int>()
        var array: [Int] = []
        for number in 0..<1_000 {
            if Int.random(in: 0..<5, using: &generator) < 3 {
                deque.append(number)
                array.append(number)
            } else {
                #expect(deque.popFirst() == (array.isEmpty ? nil : array.removeFirst()))
            }
            #expect(deque.count == array.count && deque.isEmpty == array.isEmpty)
            let offset = Int.random(in: -1...array.count, using: &generator)
            #expect(deque[offset] == (array.indices.contains(offset) ? array[offset] : nil))
        }
        #expect(deque.elements == array)
    }
}
