public import Recurrence

/// Pushes from their acceptance to their last outcome.
///
/// Installations of a push are walked once in the order of their numbers and written into batches; a sender
/// claims a batch under a lease and stores what it finds out. A stale sender is fenced off by the claim's
/// generation.
public protocol PushQueueStore: Sendable {
    // MARK: Requests

    /// Accepts a push, durably.
    ///
    /// The same `req_id` within five minutes gives the push it made the first time, and nothing is sent twice.
    /// - Returns: the push, and whether it is new.
    func createPush(
        _ request: PushRequest, app: App, now: Instant
    ) async throws(StoreError) -> (push: Push, isNew: Bool)

    /// The push with an objectId.
    func push(objectID: String, app: Int64) async throws(StoreError) -> Push?

    /// Pauses, resumes or cancels a push; without effect on one that has ended.
    ///
    /// - Returns: the push as it is then; nil when there is none.
    func setState(
        _ state: Push.State, push objectID: String, app: Int64, now: Instant
    ) async throws(StoreError) -> Push?

    // MARK: Records

    /// The record with an objectId or a notification id.
    func record(id: String, app: Int64) async throws(StoreError) -> PushRecord?

    /// Records, newest first.
    func records(limit: Int, skip: Int, app: Int64) async throws(StoreError) -> [PushRecord]

    /// Cancels what is still queued of a record's pushes and removes the record.
    ///
    /// - Returns: whether there was one.
    func deleteRecord(id: String, app: Int64, now: Instant) async throws(StoreError) -> Bool

    /// Counts that an installation opened a push; once for each.
    ///
    /// - Parameter installation: what identifies it, an objectId or a token; nil counts an unknown one.
    /// - Returns: whether there is such a record.
    func countOpen(
        record id: String, installation: String?, app: Int64, now: Instant
    ) async throws(StoreError) -> Bool

    /// Pushes whose time has not come and schedules, soonest first, with their numbers.
    func scheduledPushes(app: Int64) async throws(StoreError) -> [Push]

    /// Cancels a scheduled push by its number.
    ///
    /// - Returns: whether there was one.
    func cancelScheduledPush(number: Int64, app: Int64, now: Instant) async throws(StoreError) -> Bool

    /// Removes records older than their app keeps them.
    func removeOldRecords(now: Instant, limit: Int) async throws(StoreError) -> Int

    // MARK: Audience

    /// How many installations a request would reach now, by environment, language and zone; one for a broadcast.
    func audience(of request: PushRequest, app: App, now: Instant) async throws(StoreError) -> AudienceCount

    /// About how many installations a request would reach now; looks at a fixed number of rows.
    func audienceEstimate(
        of request: PushRequest, app: App, now: Instant
    ) async throws(StoreError) -> AudienceEstimate

    // MARK: Work

    /// Starts pushes and segments that are due, makes the pushes of schedules, ends what is complete.
    ///
    /// - Returns: pushes that ended by it, and when to call again at the latest; nil for when something changes.
    func advance(now: Instant) async throws(StoreError) -> (ended: [Push], next: Instant?)

    /// Writes the next installations of one due push into batches.
    ///
    /// Apps take turns, and so do the pushes of one app: the one that has been looked at least often is next, every
    /// other time the one that has been due longest.
    ///
    /// - Returns: whether there may be more to plan.
    func planChunk(now: Instant) async throws(StoreError) -> Bool

    /// Claims the batch whose turn it is.
    ///
    /// Apps take turns by what has been sent for each, and so do the pushes of one app: a push that comes while a
    /// large one is sent is claimed after one of its batches at most, and one that was idle has no credit. Batches of
    /// one push go in the order in which they became ready; one whose lease ran out goes before those behind it.
    /// A batch that cannot be read is ended as ``DeviceOutcome/damaged``, which its push's `notes` say.
    ///
    /// - Parameters:
    ///   - owner: the sender's name.
    ///   - leaseUntil: when others may take it over.
    ///   - held: numbers of the batches that the caller's own senders have in hand: those are not abandoned, even
    ///     when a clock that was put forward says that their leases have run out; nil when that is not known, and
    ///     then nothing is taken from anybody.
    func claimBatch(
        owner: String, leaseUntil: Instant, held: Set<Int64>?, now: Instant
    ) async throws(StoreError) -> ClaimedBatch?

    /// When the next batch is ready that nobody holds, or a lease runs out; nil for none.
    ///
    /// - Parameter held: numbers of the batches that the caller's own senders have in hand.
    func nextBatchTime(held: Set<Int64>) async throws(StoreError) -> Instant?

    /// The installations of a batch that can be sent to now.
    ///
    /// - Parameters:
    ///   - numbers: ascending.
    ///   - withAttributes: whether the customer's fields are wanted.
    /// - Returns: rows in ascending order; those gone or not valid are missing.
    func sendableInstallations(
        _ numbers: [Int64], withAttributes: Bool, app: Int64
    ) async throws(StoreError) -> [SendableInstallation]

    /// Takes a place under a frequency cap for each installation that has one left; whoever asks next sees it taken.
    ///
    /// Whoever took a place says in the report what became of the device (``BatchReport/countsForCap``); the places
    /// of devices that were not sent to are given back then. A push takes one place of an installation, however often
    /// it asks.
    ///
    /// - Parameters:
    ///   - numbers: of installations.
    ///   - push: the number of the push that is to be sent.
    ///   - countMax: how many pushes an installation may get.
    ///   - since: the beginning of the span they are counted in; what was taken at it is before it.
    /// - Returns: installations that have none left.
    func takeSends(
        _ numbers: [Int64], push: Int64, countMax: Int, since: Instant, now: Instant
    ) async throws(StoreError) -> Set<Int64>

    /// What articles and interests installations have, for a digest.
    func digestRows(
        _ numbers: [Int64], tags: [String], articles: [String], app: Int64, now: Instant
    ) async throws(StoreError) -> [Int64: DigestRow]

    /// Stores a report and its effects in one transaction.
    ///
    /// - Returns: the state the push is in now, so that a sender stops what was cancelled or paused.
    /// - Throws: `leaseLost` when another has claimed the batch since.
    func store(
        _ report: BatchReport, of batch: ClaimedBatch, now: Instant
    ) async throws(StoreError) -> Push.State

    /// Hands back all batches of a sender that ends; their pending devices are sent by others.
    func release(owner: String, now: Instant) async throws(StoreError)

    // MARK: Evidence

    /// What is known of a push and a device; nil when the push is not known.
    func evidence(
        push id: String, installation objectID: String, app: Int64
    ) async throws(StoreError) -> DeliveryEvidence?

    /// Numbers for metrics.
    func queueCounts(now: Instant) async throws(StoreError) -> QueueCounts
}
