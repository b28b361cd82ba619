/// A region of the Earth: as much of Core Location as a trigger needs, where that framework does not exist.
open class CLRegion: NSObject, NSCopying {
    package var record: RegionRecord

    init(record: RegionRecord) {
        self.record = record
        super.init()
    }

    /// What the app calls it.
    open var identifier: String { record.identifier }

    /// Whether entering it counts.
    open var notifyOnEntry: Bool {
        get { record.notifiesOnEntry }
        set { record.notifiesOnEntry = newValue }
    }

    /// Whether leaving it counts.
    open var notifyOnExit: Bool {
        get { record.notifiesOnExit }
        set { record.notifiesOnExit = newValue }
    }

    /// Whether another region has the same identifier.
    open override func isEqual(_ object: Any?) -> Bool { (object as? CLRegion)?.identifier == identifier }

    /// A number that equal regions share.
    open override var hash: Int { identifier.hashValue }

    /// A region of its own with the same values.
    open func copy(with zone: NSZone? = nil) -> Any { CLRegion.make(record) }

    static func make(_ record: RegionRecord) -> CLRegion {
        record.latitude == nil ? CLRegion(record: record) : CLCircularRegion(record: record)
    }
}
