internal import FoundationEssentials

/// What `belfry bench service` found.
struct ServiceBenchReport: Encodable, Sendable {
    struct Count: Encodable, Sendable {
        var condition: String
        var found: Int
        var milliseconds: Double
    }

    struct Push: Encodable, Sendable {
        var devices: Int
        var successes: Int
        var seconds: Double
        var cpuMicroseconds: Double
        var residentMebibytes: Double
        /// How long pushes to one device took that were sent beside it, ascending.
        var smallPushMilliseconds: [Double]
    }

    var installations: Int
    var importSeconds = 0.0
    var upsertsPerSecond = 0.0
    var counts: [Count] = []
    var pushes: [Push] = []
    /// A push that others are sent beside.
    var busyPush: Push?

    var text: String {
        var lines = [
            "installations      \(installations), written in \(Self.rounded(importSeconds)) s",
            "upserts            \(Int(upsertsPerSecond)) a second, each on the disk",
        ]
        for count in counts {
            lines.append(
                "count by \(count.condition): \(count.found) in \(Self.rounded(count.milliseconds)) ms")
        }
        for push in pushes {
            lines.append(
                "push to \(push.devices) devices: \(push.successes) accepted in \(Self.rounded(push.seconds)) s, "
                    + "\(Int(Double(push.devices) / max(push.seconds, 0.001))) a second, "
                    + "\(Self.rounded(push.cpuMicroseconds)) us of CPU each, "
                    + "\(Self.rounded(push.residentMebibytes)) MiB resident")
        }
        if let push = busyPush, let last = push.smallPushMilliseconds.last {
            let times = push.smallPushMilliseconds
            lines.append(
                "push to one device beside one to \(push.devices): accepted after "
                    + "\(Self.rounded(times[times.count / 2])) ms in the median of \(times.count), "
                    + "\(Self.rounded(last)) ms at most; the large one took \(Self.rounded(push.seconds)) s")
        }
        return lines.joined(separator: "\n")
    }

    private static func rounded(_ number: Double) -> String {
        "\((number * 10).rounded() / 10)"
    }
}
