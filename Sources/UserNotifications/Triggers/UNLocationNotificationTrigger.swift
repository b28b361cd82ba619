/// A trigger that fires when the device crosses the border of a region.
///
/// Sendable: adds nothing to its superclass.
open class UNLocationNotificationTrigger: UNNotificationTrigger, @unchecked Sendable {
    /// Makes a trigger; the region is copied, and its flags say whether entry, exit or both count.
    public convenience init(region: CLRegion, repeats: Bool) {
        self.init(record: .location(region.record, repeats: repeats))
    }

    /// The region, a copy.
    open var region: CLRegion {
        guard case .location(let region, _) = record else {
            return CLRegion(record: RegionRecord(identifier: ""))
        }
        return CLRegion.make(region)
    }
}
