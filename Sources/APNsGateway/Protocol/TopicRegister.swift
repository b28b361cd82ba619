internal import APNs

/// The topics seen on one connection, each checked once.
///
/// A provider sends to few topics on a connection, nearly always to the one it sent to last: comparing bytes
/// with the last entry replaces making, validating and splitting a text for every request.
package struct TopicRegister: Sendable {
    /// The most topics kept; further ones replace the oldest.
    static let countMax = 64

    private var entries: [Entry] = []
    private var last = 0
    private var nextReplaced = 0

    private struct Entry {
        let bytes: [UInt8]
        let topic: Topic?
        let suffixedPushType: PushType?
        /// Which credential `isCovered` was found for.
        var credential = -1
        var isCovered = false
    }

    /// Makes an empty register.
    package init() {}

    /// The place of a topic in the register; valid until the next call.
    mutating func index(of bytes: UnsafeRawBufferPointer) -> Int {
        if last < entries.count, bytes.holds(entries[last].bytes) { return last }
        if let index = entries.indices.first(where: { bytes.holds(entries[$0].bytes) }) {
            last = index
            return index
        }
        let topic = Topic(utf8: bytes)
        let entry = Entry(bytes: Array(bytes), topic: topic, suffixedPushType: topic?.suffixedPushType)
        if entries.count < TopicRegister.countMax {
            last = entries.count
            entries.append(entry)
        } else {
            last = nextReplaced
            entries[last] = entry
            nextReplaced = (nextReplaced + 1) % TopicRegister.countMax
        }
        return last
    }

    /// The topic at a place; nil when its text cannot be a topic.
    func topic(at index: Int) -> Topic? { entries[index].topic }

    /// The push type whose suffix the topic at a place has.
    func suffixedPushType(at index: Int) -> PushType? { entries[index].suffixedPushType }

    /// Whether a credential covers the topic at a place; asks only once for each credential.
    mutating func isCovered(at index: Int, credential: Int, by covers: (Topic) -> Bool) -> Bool {
        if entries[index].credential != credential {
            entries[index].isCovered = entries[index].topic.map(covers) ?? false
            entries[index].credential = credential
        }
        return entries[index].isCovered
    }
}
