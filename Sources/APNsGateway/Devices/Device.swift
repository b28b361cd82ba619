internal import APNs

/// A simulated phone.
struct Device: Sendable {
    let id: DeviceID
    var name: String
    var isOnline = true
    var isPowerSaving = false
    let createdAtMilliseconds: Int64
    /// Apps that are or were installed; an app keeps its index.
    var apps: [InstalledApp] = []
    var deliveries = Deque<Delivery>()
    var nextSequence: Int64 = 1
    var acknowledgedSequence: Int64 = 0

    /// Whether a link with acknowledgements is open: one notification at a time.
    var isLinked = false
    /// Whether somebody listens to the device's stream.
    var watcherCount = 0

    var dirty: DirtyParts = []
    /// The first delivery that is not saved yet.
    var unsavedSequence: Int64 = 1

    init(id: DeviceID, name: String, createdAtMilliseconds: Int64) {
        self.id = id
        self.name = name
        self.createdAtMilliseconds = createdAtMilliseconds
    }

    /// The sequence of the oldest delivery that is still kept.
    var firstSequence: Int64 { nextSequence - Int64(deliveries.count) }

    /// Whether a notification was handed over and not acknowledged yet.
    var isBusy: Bool { isLinked && acknowledgedSequence < nextSequence - 1 }

    func appIndex(bundleID: String, environment: Environment) -> Int? {
        apps.firstIndex { $0.bundleID == bundleID && $0.environment == environment }
    }

    /// The parts of a device that differ from what is saved.
    struct DirtyParts: OptionSet, Sendable {
        let rawValue: UInt8

        static let device = DirtyParts(rawValue: 1)
        static let apps = DirtyParts(rawValue: 2)
        static let deliveries = DirtyParts(rawValue: 4)
    }
}

/// An app that is or was on a phone: one bundle identifier in one environment.
struct InstalledApp: Sendable {
    let bundleID: String
    let environment: Environment
    var isInstalled = true
    /// Whether the person allows notifications.
    var isEnabled = true
    /// The one notification APNs stores for the app.
    var stored: WaitingNotification?
    /// The background push the device keeps until its budget allows it.
    var held: WaitingNotification?
    var backgroundWindow = CountingWindow()
    /// Slots of the app's registrations, dead ones too, oldest first.
    var registrations: [Int32] = []
    var isDirty = false

    init(bundleID: String, environment: Environment) {
        self.bundleID = bundleID
        self.environment = environment
    }

    /// When something happens to the app by itself.
    var nextDeadline: Int64? {
        switch (stored?.untilMilliseconds, held?.nextMilliseconds) {
        case (let stored?, let held?): min(stored, held)
        case (let stored?, nil): stored
        case (nil, let held): held
        }
    }
}

/// A notification that waits for its device.
package struct WaitingNotification: Hashable, Sendable {
    /// What waits.
    package var notification: DeliverableNotification
    /// When it is dropped.
    package var untilMilliseconds: Int64
    /// When the device hands it to the app at the latest; only for one that the device holds.
    package var releaseMilliseconds: Int64?
    /// Whether it must not outlast the device's connection (expiration 0).
    package var isSingleAttempt: Bool

    var nextMilliseconds: Int64 { min(untilMilliseconds, releaseMilliseconds ?? untilMilliseconds) }
}

/// Counts events in windows of a fixed length.
struct CountingWindow: Sendable {
    private var start: Int64 = .min
    private var count = 0

    /// When the window ends whose allowance is used up; nil while there is room.
    func blockedUntil(_ allowance: DevicePolicy.Allowance, at now: Int64) -> Int64? {
        guard start != .min, now >= start, now - start < allowance.milliseconds else { return nil }
        return count >= allowance.count ? start + allowance.milliseconds : nil
    }

    mutating func add(_ allowance: DevicePolicy.Allowance, at now: Int64) {
        if start == .min || now < start || now - start >= allowance.milliseconds {
            start = now
            count = 0
        }
        count += 1
    }
}
