import CNGHTTP2
import Testing

@testable import Transport

struct HTTP2MemoryTests {
    private let memory = HTTP2Memory()

    @Test func `blocks of every size hold what is written and do not overlap`() throws {
        var random = SystemRandomNumberGenerator()
        var blocks: [(start: UnsafeMutableRawPointer, size: Int, mark: UInt8)] = []
        for round in 0..<20_000 {
            if blocks.count > 200 || (round % 3 == 0 && !blocks.isEmpty) {
                let block = blocks.remove(at: Int.random(in: blocks.indices, using: &random))
                #expect(isFilled(block.start, block.size, block.mark))
                free(block.start)
            } else {
                let size = Int.random(in: 0...5000, using: &random)
                let start = try #require(allocate(size))
                #expect(Int(bitPattern: start) % 16 == 0)
                let mark = UInt8(truncatingIfNeeded: round)
                start.initializeMemory(as: UInt8.self, repeating: mark, count: size)
                blocks.append((start, size, mark))
            }
        }
        for block in blocks {
            #expect(isFilled(block.start, block.size, block.mark))
            free(block.start)
        }
    }

    @Test func `a block that was given back is handed out again`() throws {
        let first = try #require(allocate(100))
        free(first)
        #expect(allocate(110) == first)
        free(first)
    }

    @Test(arguments: [(0, 10), (64, 65), (100, 4000), (4000, 100), (3000, 9000)])
    func `a block that grows keeps its bytes`(from: Int, to: Int) throws {
        let block = try #require(allocate(from))
        block.initializeMemory(as: UInt8.self, repeating: 0xA5, count: from)
        let grown = try #require(memory.functions.pointee.realloc(block, to, data))
        #expect(isFilled(grown, min(from, to), 0xA5))
        free(grown)
    }

    @Test func `cleared memory is clear where a block was used before`() throws {
        let block = try #require(allocate(256))
        block.initializeMemory(as: UInt8.self, repeating: 0xFF, count: 256)
        free(block)
        let cleared = try #require(memory.functions.pointee.calloc(16, 16, data))
        #expect(isFilled(cleared, 256, 0))
        free(cleared)
        #expect(memory.functions.pointee.calloc(Int.max, 2, data) == nil)
    }

    @Test func `no block is given back and none grows without harm`() throws {
        memory.functions.pointee.free(nil, data)
        let block = try #require(memory.functions.pointee.realloc(nil, 32, data))
        free(block)
    }

    private var data: UnsafeMutableRawPointer? { memory.functions.pointee.mem_user_data }

    private func allocate(_ size: Int) -> UnsafeMutableRawPointer? {
        memory.functions.pointee.malloc(size, data)
    }

    private func free(_ block: UnsafeMutableRawPointer) {
        memory.functions.pointee.free(block, data)
    }

    private func isFilled(_ start: UnsafeMutableRawPointer, _ count: Int, _ byte: UInt8) -> Bool {
        UnsafeRawBufferPointer(start: start, count: count).allSatisfy { $0 == byte }
    }
}
