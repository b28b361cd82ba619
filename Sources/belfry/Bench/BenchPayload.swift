/// A payload of an exact size.
enum BenchPayload {
    private static let head = #"{"aps":{"alert":""#
    private static let tail = #""}}"#
    /// The smallest payload that can be made.
    static let byteCountMin = head.utf8.count + tail.utf8.count

    static func make(byteCount: Int) -> [UInt8] {
        let filler = String(repeating: "x", count: max(0, byteCount - byteCountMin))
        return Array((head + filler + tail).utf8)
    }
}
