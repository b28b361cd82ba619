/// The times within a day, an hour or a minute at which a rule fires, in order, without a list of them.
struct DayTimes: Hashable, Sendable {
    private var hours: [Int] = [0]
    private var minutes: [Int] = [0]
    private var seconds: [Int] = [0]
    private var windowStart = 0
    private var windowStep = 0
    /// How many there are; at least 1.
    private(set) var count: Int

    /// Every combination of three sorted lists, none of them empty.
    init(hours: [Int], minutes: [Int], seconds: [Int]) {
        self.hours = hours
        self.minutes = minutes
        self.seconds = seconds
        count = hours.count * minutes.count * seconds.count
    }

    /// The times of a window; those after midnight are beyond 86,400.
    init(_ window: DayWindow) {
        windowStart = window.start.secondsSinceMidnight
        windowStep = window.stepMinutes * 60
        count = window.timeCount
    }

    /// Whether some of them are on the next day.
    var crossesMidnight: Bool { self[count - 1] >= 86_400 }

    /// Seconds since the day, hour or minute began.
    subscript(index: Int) -> Int {
        if windowStep > 0 { return windowStart + index * windowStep }
        if count == 1 { return hours[0] * 3600 + minutes[0] * 60 + seconds[0] }
        let (minute, second) = index.quotientAndRemainder(dividingBy: seconds.count)
        let (hour, minuteIndex) = minute.quotientAndRemainder(dividingBy: minutes.count)
        return hours[hour] * 3600 + minutes[minuteIndex] * 60 + seconds[second]
    }

    /// The index of the first one at or after some seconds; `count` when there is none.
    func firstIndex(atOrAfter limit: Int) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < limit { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
