public import APNs

/// What became of a push's devices, by environment, language and time zone.
///
/// Devices are found where they are registered now: a batch keeps no more of a device than its number and outcome.
public struct OutcomeDivision: Sendable, Hashable {
    /// How many devices came to what.
    public struct Counts: Sendable, Hashable {
        /// APNs accepted their notifications.
        public var acceptedCount = 0
        /// They ended in any other way.
        public var failedCount = 0
        /// They have no outcome yet.
        public var waitingCount = 0
        /// They said that the push was opened.
        public var openedCount = 0

        /// Makes empty counts.
        public init() {}

        /// All devices; an opening is no device more.
        public var deviceCount: Int { acceptedCount + failedCount + waitingCount }

        /// Adds others.
        public mutating func add(_ other: Counts) {
            acceptedCount += other.acceptedCount
            failedCount += other.failedCount
            waitingCount += other.waitingCount
            openedCount += other.openedCount
        }

        mutating func add(_ outcome: DeviceOutcome) {
            switch outcome {
            case .moved: break
            case .accepted: acceptedCount += 1
            case .pending: waitingCount += 1
            default: failedCount += 1
            }
        }
    }

    /// Where a device stands in all three.
    struct Place: Hashable {
        var environment: Environment?
        var locale: String?
        var timeZone: String?
    }

    /// By environment; nil for those not known yet.
    public var environments: [Environment?: Counts] = [:]
    /// By language; nil for those that did not say.
    public var locales: [String?: Counts] = [:]
    /// By zone; nil for those that did not say.
    public var timeZones: [String?: Counts] = [:]
    /// Devices whose installations are gone, as those are whose tokens APNs called bad or gone.
    public var gone = Counts()

    /// Makes an empty division.
    public init() {}

    /// Adds others.
    public mutating func add(_ other: OutcomeDivision) {
        for (key, counts) in other.environments { environments[key, default: Counts()].add(counts) }
        for (key, counts) in other.locales { locales[key, default: Counts()].add(counts) }
        for (key, counts) in other.timeZones { timeZones[key, default: Counts()].add(counts) }
        gone.add(other.gone)
    }

    mutating func add(opens: [Place: Int]) {
        for (place, count) in opens {
            var counts = Counts()
            counts.openedCount = count
            add(counts, at: place)
        }
    }

    mutating func add(_ counts: Counts, at place: Place) {
        environments[place.environment, default: Counts()].add(counts)
        locales[place.locale, default: Counts()].add(counts)
        timeZones[place.timeZone, default: Counts()].add(counts)
    }
}

/// The devices of one batch with their outcomes, to be met with their installations in ascending order.
struct BatchDivision {
    private let numbers: [Int64]
    private let outcomes: [UInt8]
    private var index = 0
    private(set) var places: [OutcomeDivision.Place: OutcomeDivision.Counts] = [:]
    private(set) var gone = OutcomeDivision.Counts()

    /// Takes a batch as it is stored; nil for one of device tokens, or one that cannot be read.
    init?(installations: [UInt8]?, outcomes: [UInt8]) {
        guard let numbers = installations.flatMap(NumberList.decode), !numbers.isEmpty,
            numbers.count == outcomes.count
        else { return nil }
        self.numbers = numbers
        self.outcomes = outcomes
    }

    var all: [Int64] { numbers }
    var first: Int64 { numbers[0] }
    var last: Int64 { numbers[numbers.count - 1] }

    /// Whether reading a stretch of the table is cheaper than finding rows one by one.
    var isDense: Bool { last - first < Int64(numbers.count) * 8 }

    /// Takes the next installation, which has a higher number than the one before.
    mutating func meet(_ number: Int64, _ place: OutcomeDivision.Place) {
        skip(to: number)
        guard index < numbers.count, numbers[index] == number else { return }
        places[place, default: OutcomeDivision.Counts()].add(DeviceOutcome(rawValue: outcomes[index]))
        index += 1
    }

    /// Says that there is no installation more: those that were not met are gone.
    mutating func end() { skip(to: .max) }

    private mutating func skip(to number: Int64) {
        while index < numbers.count, numbers[index] < number {
            gone.add(DeviceOutcome(rawValue: outcomes[index]))
            index += 1
        }
    }

    /// Adds what was met to a division.
    func add(to division: inout OutcomeDivision) {
        for (place, counts) in places where counts.deviceCount > 0 { division.add(counts, at: place) }
        division.gone.add(gone)
    }
}
