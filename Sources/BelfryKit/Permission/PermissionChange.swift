/// A difference between two readings of the user's permission.
public struct PermissionChange: Hashable, Sendable {
    /// What was read before; nil at the first reading on this device.
    public var old: NotificationPermission?
    /// What is now.
    public var new: NotificationPermission

    /// Whether notifications are taken now that were not: whatever was scheduled in between is missing.
    public var beginsToNotify: Bool { new.mayNotify && old?.mayNotify != true }

    /// Whether notifications are not taken any more.
    public var stopsNotifying: Bool { !new.mayNotify && old?.mayNotify == true }
}
