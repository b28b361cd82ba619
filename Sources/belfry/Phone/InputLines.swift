internal import Dispatch

/// Lines of standard input, read on a thread of their own.
enum InputLines {
    /// Longer input waits in the pipe.
    private static let waitingCountMax = 64

    /// The lines until the end of the input.
    static func standardInput() -> AsyncStream<String> {
        let (lines, continuation) = AsyncStream<String>.makeStream(bufferingPolicy: .unbounded)
        let room = DispatchSemaphore(value: waitingCountMax)
        let queue = DispatchQueue(label: "belfry.input")
        // Ends with the input, or with the process.
        queue.async {
            while let line = readLine() {
                room.wait()
                continuation.yield(line)
            }
            continuation.finish()
        }
        return AsyncStream {
            var iterator = lines.makeAsyncIterator()
            let line = await iterator.next()
            if line != nil { room.signal() }
            return line
        }
    }
}
