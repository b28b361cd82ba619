/// Bytes waiting in order: encrypted input not yet read, or encrypted output not yet sent.
///
/// One block of memory that grows as needed and is kept for the next bytes, so that steady traffic allocates
/// nothing: getting a large block from the system for each burst costs more than encrypting the burst. Only a
/// block above the limit goes back at once; the owner gives the others back when a connection falls idle.
struct TLSByteQueue: ~Copyable {
    /// A block larger than this is freed when it becomes empty.
    static let keptCapacityMax = 1024 * 1024
    private static let capacityMin = 4096

    private var base: UnsafeMutableRawPointer?
    private var capacity = 0
    private var start = 0
    private var end = 0

    deinit {
        base?.deallocate()
    }

    var count: Int { end - start }

    /// The waiting bytes; valid until the next change.
    var bytes: UnsafeRawBufferPointer {
        guard let base else { return UnsafeRawBufferPointer(start: nil, count: 0) }
        return UnsafeRawBufferPointer(start: base + start, count: end - start)
    }

    mutating func append(_ source: UnsafeRawPointer, count addedCount: Int) {
        if capacity - end < addedCount || base == nil { makeRoom(for: addedCount) }
        guard let base else { return }
        (base + end).copyMemory(from: source, byteCount: addedCount)
        end += addedCount
    }

    /// Moves up to `maximum` bytes to `target`; returns how many.
    mutating func take(into target: UnsafeMutableRawPointer, maximum: Int) -> Int {
        let taken = min(maximum, end - start)
        guard taken > 0, let base else { return 0 }
        target.copyMemory(from: base + start, byteCount: taken)
        drop(taken)
        return taken
    }

    /// Removes bytes from the front.
    mutating func drop(_ droppedCount: Int) {
        precondition(droppedCount <= end - start, "more bytes dropped than there are")
        start += droppedCount
        guard start == end else { return }
        start = 0
        end = 0
        if capacity > TLSByteQueue.keptCapacityMax { releaseMemory() }
    }

    /// Gives the block back if nothing waits in it.
    mutating func releaseMemory() {
        guard start == end else { return }
        base?.deallocate()
        base = nil
        capacity = 0
        start = 0
        end = 0
    }

    private mutating func makeRoom(for addedCount: Int) {
        let waiting = end - start
        // Moving to the front is worth it only if it frees more than it moves.
        if let base, capacity - waiting >= addedCount, start >= waiting {
            base.copyMemory(from: base + start, byteCount: waiting)
        } else {
            let needed = max(TLSByteQueue.capacityMin, waiting + addedCount)
            let grown = 1 << (Int.bitWidth - (needed - 1).leadingZeroBitCount)
            let block = UnsafeMutableRawPointer.allocate(byteCount: grown, alignment: 64)
            if let base {
                block.copyMemory(from: base + start, byteCount: waiting)
                base.deallocate()
            }
            base = block
            capacity = grown
        }
        start = 0
        end = waiting
    }
}
