internal import CNGHTTP2

/// The memory of one nghttp2 session: blocks that are given back are kept by size and handed out again.
///
/// nghttp2 takes several blocks for each stream and gives them back in another order, a few hundred streams
/// later. The system's allocator splits and joins them each time; lists by size do not. Not thread-safe,
/// like the session.
final class HTTP2Memory {
    /// What nghttp2 calls; valid as long as this object.
    let functions: UnsafeMutablePointer<nghttp2_mem>
    private let lists: UnsafeMutablePointer<Lists>

    /// Free blocks, and how many bytes they are.
    private struct Lists {
        /// The first free block of each size; each block begins with the next one's address.
        let heads: UnsafeMutablePointer<UnsafeMutableRawPointer?>
        var byteCount = 0
    }

    /// Sizes are multiples of this, in bytes.
    private static let step = 64
    /// Blocks above 2 KB are rare, and the system's business.
    private static let listCount = 32
    /// In front of each block: its size, in a width that keeps the block aligned.
    private static let headerByteCount = 16
    /// What a session keeps at most: enough for about a thousand streams.
    private static let keptByteCountMax = 1024 * 1024

    init() {
        let heads = UnsafeMutablePointer<UnsafeMutableRawPointer?>.allocate(capacity: Self.listCount + 1)
        heads.initialize(repeating: nil, count: Self.listCount + 1)
        lists = .allocate(capacity: 1)
        lists.initialize(to: Lists(heads: heads))
        functions = .allocate(capacity: 1)
        functions.initialize(
            to: nghttp2_mem(
                mem_user_data: lists,
                malloc: { size, data in HTTP2Memory.allocate(size, data) },
                free: { block, data in HTTP2Memory.free(block, data) },
                calloc: { count, size, data in
                    let (byteCount, hasOverflowed) = count.multipliedReportingOverflow(by: size)
                    guard !hasOverflowed, let block = HTTP2Memory.allocate(byteCount, data) else {
                        return nil
                    }
                    block.initializeMemory(as: UInt8.self, repeating: 0, count: byteCount)
                    return block
                },
                realloc: { block, size, data in HTTP2Memory.reallocate(block, size, data) }))
    }

    /// The session is gone by then, and has given everything back.
    deinit {
        for index in 0...Self.listCount {
            while let block = lists.pointee.heads[index] {
                lists.pointee.heads[index] = block.load(as: UnsafeMutableRawPointer?.self)
                (block - Self.headerByteCount).deallocate()
            }
        }
        lists.pointee.heads.deallocate()
        lists.deallocate()
        functions.deallocate()
    }

    private static func allocate(_ size: Int, _ data: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        guard let lists = data?.assumingMemoryBound(to: Lists.self), size >= 0 else { return nil }
        // Rounded up, and never empty: a free block has to hold an address.
        let index = max(1, size / step + (size % step == 0 ? 0 : 1))
        if index <= listCount, let block = lists.pointee.heads[index] {
            lists.pointee.heads[index] = block.load(as: UnsafeMutableRawPointer?.self)
            lists.pointee.byteCount -= index * step
            return block
        }
        let start = UnsafeMutableRawPointer.allocate(
            byteCount: headerByteCount + index * step, alignment: headerByteCount)
        start.storeBytes(of: index, as: Int.self)
        return start + headerByteCount
    }

    private static func free(_ block: UnsafeMutableRawPointer?, _ data: UnsafeMutableRawPointer?) {
        guard let block, let lists = data?.assumingMemoryBound(to: Lists.self) else { return }
        let index = self.index(of: block)
        guard index <= listCount, lists.pointee.byteCount < keptByteCountMax else {
            return (block - headerByteCount).deallocate()
        }
        block.storeBytes(of: lists.pointee.heads[index], as: UnsafeMutableRawPointer?.self)
        lists.pointee.heads[index] = block
        lists.pointee.byteCount += index * step
    }

    private static func reallocate(
        _ block: UnsafeMutableRawPointer?, _ size: Int, _ data: UnsafeMutableRawPointer?
    ) -> UnsafeMutableRawPointer? {
        guard let block else { return allocate(size, data) }
        let capacity = index(of: block) * step
        guard size > capacity else { return block }
        guard let larger = allocate(size, data) else { return nil }
        larger.copyMemory(from: block, byteCount: capacity)
        free(block, data)
        return larger
    }

    private static func index(of block: UnsafeMutableRawPointer) -> Int {
        (block - headerByteCount).load(as: Int.self)
    }
}
