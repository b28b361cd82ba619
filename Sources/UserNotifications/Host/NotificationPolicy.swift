public import Recurrence

/// What Apple leaves undocumented, one named choice each.
///
/// The defaults are what was measured on iOS 18, else what fits it best; each choice says which. A test can ask how an
/// app fares with the other ones.
public struct NotificationPolicy: Hashable, Sendable {
    /// Which requests stay when there are more than `pendingCountMax`.
    public var overflow = OverflowPolicy.keepLastAdded
    /// How many requests of an app can be pending (Apple: the page of `UILocalNotification`, 64).
    public var pendingCountMax = 64
    /// What becomes of a request of an app that may not notify.
    public var unauthorizedAdd = UnauthorizedAddPolicy.drop
    /// What becomes of a request that would show, play and count nothing.
    public var emptyContent = EmptyContentPolicy.reject
    /// When a calendar trigger fires whose time the clocks skip; measured: as much later as the clocks jump.
    public var gap = GapPolicy.shiftForward
    /// When a calendar trigger fires whose time comes twice; measured: the first time.
    public var fold = FoldPolicy.first
    /// What a trigger for the 31st does in a month of 30 days.
    public var missingDay = MissingDayPolicy.nextDay
    /// What a repeating trigger does about the times at which nothing ran.
    public var missedRepeats = MissedRepeatPolicy.latest
    /// What `nextTriggerDate()` of an interval trigger that is pending counts from.
    public var intervalDate = IntervalDatePolicy.fromNow
    /// Whether setting the badge to 0 with `setBadgeCount` clears the delivered notifications; not documented.
    public var zeroBadge = ZeroBadgePolicy.keepsDelivered
    /// What is shown in the foreground by an app without a delegate; Apple's pages say what it would be without the app.
    public var withoutDelegate = WithoutDelegatePolicy.shows
    /// Whether asking again after a provisional permission shows the prompt; field reports say so.
    public var provisionalUpgrade = ProvisionalUpgradePolicy.prompts
    /// What happens where Apple's framework raises an Objective-C exception.
    public var misuse = MisusePolicy.trap
    /// Whether previews are shown on a lock screen until the user says otherwise.
    public var previews = UNShowPreviewsSetting.always

    /// Makes the defaults.
    public init() {}
}
