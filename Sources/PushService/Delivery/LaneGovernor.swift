/// How many batches are in senders' hands at once; pure.
///
/// Two keep a connection busy where APNs is near, and bound what a crash may send again to two thousand
/// notifications. Where answers take long, as many more are needed as fit into the time of one.
struct LaneGovernor: Sendable {
    static let laneCountMin = 2
    static let laneCountMax = 16
    /// A batch that takes this long leaves the connection idle for half of it with two lanes.
    private static let idealMilliseconds = 60.0

    private var meanMilliseconds: Double?

    /// Takes note of how long a batch was on the wire.
    mutating func record(milliseconds: Double) {
        guard let mean = meanMilliseconds else {
            meanMilliseconds = milliseconds
            return
        }
        meanMilliseconds = mean + (milliseconds - mean) / 8
    }

    /// How many lanes are worth having now.
    var laneCount: Int {
        guard let meanMilliseconds else { return Self.laneCountMin }
        let wanted = Int((meanMilliseconds / Self.idealMilliseconds).rounded(.up)) + 1
        return min(max(wanted, Self.laneCountMin), Self.laneCountMax)
    }
}
