internal import APNs
internal import APNsClient
internal import PushStore
internal import Recurrence

/// Sends claimed batches, one after the other, and stores what became of each device.
///
/// Work for one notification is plain loops over arrays; tasks, locks and the database are met once for some
/// hundred notifications. Each sender keeps one of these.
struct BatchSender: Sendable {
    /// How many notifications are handed to the client together: what one stream without an answer holds up.
    static let chunkCount = 100
    /// How soon answers are stored while others are still missing: a crash sends nothing again whose answer is
    /// older.
    static let flushInterval = Duration.milliseconds(100)
    /// After so many intervals without an answer the batch's lease and its push's state are looked after.
    private static let quietIntervalCountMax = 5
    /// How long a batch is its sender's before others may take it over; extended with each report.
    static let leaseSeconds: Int64 = 60
    /// How long after the lease was asked for notifications may be put on the wire: less than it lasts, so that a
    /// sender that was stopped meanwhile sends nothing that another has taken over.
    static let permitDuration = Duration.seconds(50)

    let store: any Store
    let clients: ClientDirectory
    let clock: any DeliveryClock
    private let chunkCount: Int
    private let stops: ToldStops
    private let tell: @Sendable (DeliveryService.Event) -> Void
    /// Composers of the latest pushes.
    private var shelves: [Int64: (app: App, shelf: ComposerShelf)] = [:]
    private static let shelfCountMax = 16
    /// How long APNs took to answer a notification of the last batch; nil when nothing was answered.
    private(set) var answeringMilliseconds: Double?

    init(
        store: any Store, clients: ClientDirectory, clock: any DeliveryClock, chunkCount: Int = chunkCount,
        stops: ToldStops, tell: @escaping @Sendable (DeliveryService.Event) -> Void
    ) {
        self.store = store
        self.clients = clients
        self.clock = clock
        self.chunkCount = chunkCount
        self.stops = stops
        self.tell = tell
    }

    func now() -> Instant { clock.now }

    /// Sends a batch.
    ///
    /// - Parameter permit: made before the batch was claimed.
    /// - Throws: what the store throws, with the push; `leaseLost` when another has taken the batch over.
    mutating func send(_ batch: ClaimedBatch, _ permit: SendPermit) async throws(StoreError) {
        do throws(StoreError) {
            try await sendPending(batch, permit)
        } catch {
            throw error.about(push: batch.push.objectID)
        }
    }

    private mutating func sendPending(
        _ batch: ClaimedBatch, _ permit: SendPermit
    ) async throws(StoreError) {
        let time = now()
        var work = BatchWork(batch, chunkCount: chunkCount)
        answeringMilliseconds = nil
        // An earlier sender may have taken places under the frequency cap.
        work.countsForCap = batch.attemptCount > 0
        switch batch.push.state {
        case .cancelled, .done:
            work.endPending(as: .cancelled)
            _ = try await keep(&work, next: .finish)
            return
        case .scheduled, .paused:
            _ = try await keep(&work, next: .giveBack)
            return
        case .running: break
        }
        if let expiresAt = batch.push.expiresAt, expiresAt <= time {
            work.endPending(as: .expired)
            _ = try await keep(&work, next: .finish)
            return
        }
        let app: App
        do throws(StoreError) {
            app = try await clients.refreshed(app: batch.push.app)
        } catch {
            await handBack(work, after: error)
            throw error
        }
        var shelf: ComposerShelf
        do throws(ChangeError) {
            if let known = shelves[batch.push.number], known.app == app {
                shelf = known.shelf
            } else {
                shelf = try ComposerShelf(batch.push, app: app)
            }
        } catch {
            // A request is checked before it is accepted; what is found now needs a person.
            let text = "the message cannot be sent: \(error.message)"
            _ = try await keep(&work, next: .stop(text))
            return
        }
        if batch.push.request.broadcastChannel != nil {
            return try await publish(&work, shelf, app: app, permit)
        }
        let state: Push.State
        do throws(StoreError) {
            state = try await prepare(&work, &shelf, app: app, at: time)
        } catch {
            await handBack(work, after: error)
            throw error
        }
        keep(shelf, of: batch.push, app: app)
        guard state == .running else {
            // Nothing is on the wire: it waits, or ends with its push.
            if state.isFinal { work.endPending(as: .cancelled) }
            let next: BatchReport.Next = work.pendingPositions.isEmpty ? .finish : .giveBack
            _ = try await keep(&work, next: next)
            return
        }
        try await deliver(&work, shelf, app: app, permit)
    }

    private mutating func keep(_ shelf: ComposerShelf, of push: Push, app: App) {
        if shelves.count >= Self.shelfCountMax, shelves[push.number] == nil,
            let oldest = shelves.keys.min()
        {
            shelves[oldest] = nil
        }
        shelves[push.number] = (app, shelf)
    }

    // MARK: - Before sending

    /// Decides for every pending device whether it is sent to now, and makes its notification.
    ///
    /// - Returns: the state of the push, as far as it was asked for; nothing was made when it does not run.
    private func prepare(
        _ work: inout BatchWork, _ shelf: inout ComposerShelf, app: App, at time: Instant
    ) async throws(StoreError) -> Push.State {
        let batch = work.batch
        let request = batch.push.request
        var rows = try await rows(of: work, withAttributes: shelf.needsAttributes)
        if shelf.isShown, !batch.installations.isEmpty {
            if let settings = app.settings.quietHours, !request.ignoresQuietHours {
                work.deferQuiet(&rows, QuietHours(settings), now: time)
            }
            if let cap = app.settings.frequencyCap, !request.ignoresFrequencyCap {
                work.countsForCap = true
                let refused = try await store.takeSends(
                    rows.map(\.row.number), push: batch.push.number, countMax: cap.countMax,
                    since: time.advanced(bySeconds: -Int64(cap.seconds)), now: time)
                work.end(&rows, as: .capped) { refused.contains($0.row.number) }
            }
        }
        if let digest = shelf.digest {
            let state = try await chooseArticles(&work, &rows, &shelf, digest, app: app, at: time)
            guard state == .running else { return state }
        }
        work.makeNotifications(rows, &shelf, app: app)
        return .running
    }

    /// The rows of pending devices; devices whose row is gone or not valid any more are skipped.
    private func rows(
        of work: BatchWork, withAttributes: Bool
    ) async throws(StoreError) -> [BatchWork.Row] {
        let batch = work.batch
        guard !batch.installations.isEmpty else {
            return batch.deviceTokens.enumerated().compactMap { position, token in
                guard work.outcomes[position] == .pending else { return nil }
                return BatchWork.Row(
                    position: position,
                    row: SendableInstallation(number: 0, objectID: "", deviceToken: token))
            }
        }
        let pending = work.pendingPositions
        let found = try await store.sendableInstallations(
            pending.map { batch.installations[$0] }, withAttributes: withAttributes, app: batch.push.app)
        var rows: [BatchWork.Row] = []
        rows.reserveCapacity(found.count)
        var next = 0
        for row in found {
            while batch.installations[pending[next]] != row.number { next += 1 }
            rows.append(BatchWork.Row(position: pending[next], row: row))
            next += 1
        }
        return rows
    }

    private func chooseArticles(
        _ work: inout BatchWork, _ rows: inout [BatchWork.Row], _ shelf: inout ComposerShelf,
        _ digest: Digest,
        app: App, at time: Instant
    ) async throws(StoreError) -> Push.State {
        if work.articles.isEmpty { work.articles = Array(repeating: -1, count: work.batch.count) }
        // What an earlier attempt chose stays chosen: it may have been shown. Quiet hours come before the choice.
        let open = rows.filter { work.articles[$0.position] < 0 }
        guard !open.isEmpty else { return .running }
        let known = try await store.digestRows(
            open.map(\.row.number), tags: shelf.selection?.tags ?? [], articles: digest.articles.map(\.id),
            app: app.number, now: time)
        for row in open {
            work.articles[row.position] = shelf.choose(known[row.row.number] ?? DigestRow()) ?? -1
        }
        let articles = work.articles
        work.end(&rows, as: .nothingNew) { articles[$0.position] < 0 }
        return try await keep(&work, next: .goOn(leaseUntil: lease()))
    }

    // MARK: - Storing

    /// Stores what has been found out, however long the database is away, and tells of it.
    func keep(
        _ work: inout BatchWork, next: BatchReport.Next
    ) async throws(StoreError) -> Push.State {
        let report = work.report(next: next)
        let state = try await keep(report, of: work.batch)
        let push = work.batch.push
        let outcomes = work.takeNewOutcomes()
        let retryCount = report.deferrals.reduce(0) { $0 + ($1.attemptCount > 0 ? $1.positions.count : 0) }
        if !outcomes.isEmpty || retryCount > 0 {
            tell(.stored(app: await appID(of: push), outcomes: outcomes, retryCount: retryCount))
        }
        if case .stop(let text) = next, state == .paused, stops.isNew(push: push.number) {
            tell(.pushStopped(push: push.objectID, app: await appID(of: push), reason: text))
        }
        return state
    }

    /// The id of a push's app; empty when it cannot be found out.
    private func appID(of push: Push) async -> String {
        if let known = shelves[push.number]?.app.id ?? clients.id(ofApp: push.app) { return known }
        // A push that ended before anything of its app was read here.
        return (try? await store.apps())?.first { $0.number == push.app }?.id ?? ""
    }

    private func keep(_ report: BatchReport, of batch: ClaimedBatch) async throws(StoreError) -> Push.State {
        let (store, clock) = (store, clock)
        let keeper = ReportKeeper(sleep: { await clock.sleep(for: $0) })
        return try await keeper.keep(report, lease: lease) { report throws(StoreError) in
            try await store.store(report, of: batch, now: clock.now)
        }
    }

    /// Hands a batch back of which nothing was sent, since the database went away: it need not lie until its lease
    /// has run out.
    private func handBack(_ work: BatchWork, after error: StoreError) async {
        guard ReportKeeper.isPassing(error) else { return }
        var report = BatchReport(outcomes: work.batch.outcomes, next: .giveBack)
        report.countsForCap = work.countsForCap
        do throws(StoreError) {
            _ = try await keep(report, of: work.batch)
        } catch {
            // Its lease runs out by itself.
        }
    }

    private func lease() -> Instant { now().advanced(bySeconds: Self.leaseSeconds) }

    // MARK: - Sending

    private enum Event: Sendable {
        case answered(chunk: [Int], [Outcome])
        case flushDue
    }

    /// Sends the notifications and stores the outcomes.
    private mutating func deliver(
        _ work: inout BatchWork, _ shelf: ComposerShelf, app: App, _ permit: SendPermit
    ) async throws(StoreError) {
        let clients = clients
        if clients.canServe(work.batch.push.request, app: app.number) {
            do throws(DeliveryError) {
                try work.assignClients { need throws(DeliveryError) in
                    try clients.client(for: need, app: app.number)
                }
            } catch {
                work.stop = error.message
            }
        } else {
            work.stop =
                "app '\(app.name)' has no credential for this push; add one with 'belfry key add'"
        }
        var state = Push.State.running
        var failure: StoreError?
        if work.stop == nil {
            (state, failure) = await exchange(&work, shelf, app: app, permit)
            answeringMilliseconds = work.answeringMilliseconds
        }
        if let failure { throw failure }
        let next: BatchReport.Next
        if work.pendingPositions.isEmpty {
            next = .finish
        } else if let text = work.stop {
            next = .stop(text)
        } else if state == .cancelled {
            work.endPending(as: .cancelled)
            next = .finish
        } else {
            next = .giveBack
        }
        _ = try await keep(&work, next: next)
    }

    private func exchange(
        _ work: inout BatchWork, _ shelf: ComposerShelf, app: App, _ permit: SendPermit
    ) async -> (Push.State, StoreError?) {
        var state = Push.State.running
        var failure: StoreError?
        let digest = shelf.digest
        await withTaskGroup(of: Event.self) { group in
            var openCount = 0
            var quietCount = 0
            func start(_ chunk: BatchWork.Chunk) {
                openCount += 1
                let client = chunk.client
                let notifications = chunk.notifications
                let entries = chunk.entries
                group.addTask { .answered(chunk: entries, await client.send(notifications, permit: permit)) }
            }
            for chunk in work.chunks() { start(chunk) }
            let clock = clock
            group.addTask {
                await clock.sleep(for: Self.flushInterval)
                return .flushDue
            }
            while openCount > 0, let event = await group.next() {
                switch event {
                case .answered(let entries, let outcomes):
                    openCount -= 1
                    let again = work.take(
                        outcomes, of: entries, isShownOnce: shelf.isShownOnce, digest: digest, now: now())
                    if work.stop != nil {
                        group.cancelAll()
                    } else {
                        for chunk in again { start(chunk) }
                    }
                case .flushDue:
                    guard failure == nil else { continue }
                    quietCount += 1
                    if work.hasNews || quietCount >= Self.quietIntervalCountMax {
                        quietCount = 0
                        do throws(StoreError) {
                            let asked = clock.elapsed
                            state = try await keep(&work, next: .goOn(leaseUntil: lease()))
                            permit.extend(from: asked, for: Self.permitDuration)
                        } catch {
                            failure = error
                        }
                    }
                    if state != .running || failure != nil {
                        group.cancelAll()
                    } else if !group.isCancelled {
                        // Where a push stops or the service ends no wait lasts: what is on the wire is stored once
                        // all of it is answered.
                        group.addTask {
                            await clock.sleep(for: Self.flushInterval)
                            return .flushDue
                        }
                    }
                }
            }
            group.cancelAll()
        }
        return (state, failure)
    }
}
