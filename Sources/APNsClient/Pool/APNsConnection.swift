internal import APNs
internal import Crypto
internal import Transport

/// One connection to APNs: takes work from the pool, opens streams, turns answers into outcomes.
///
/// Loop-confined. Per notification there are plain array steps only; the pool's lock is met once for a
/// chunk of work and once for what a read brought.
final class APNsConnection: HTTP2ConnectionHandler {
    /// A notification on the wire.
    private struct Slot {
        var batch: Batch
        var index: Int
        var attemptCount: UInt8
        var replayCount: Int
        var last: LastOutcome?
        var tokenIssuedAt: Int64
        var startedAtNanoseconds: UInt64
        var stream: HTTP2Stream
        var isTimedOut = false
    }

    let number: PoolMachine.ConnectionNumber
    private let pool: ConnectionPool
    private let credential: Credential
    private let retryPolicy: RetryPolicy
    private let answerTimeoutNanoseconds: UInt64
    private var http2: HTTP2Connection?
    // Unchecked: these are met for every notification, and nothing that uses one calls back into another use.
    @exclusivity(unchecked) private var slots: [Slot?] = []
    @exclusivity(unchecked) private var freeSlots: [Int] = []
    @exclusivity(unchecked) private var writer: RequestWriter
    private var reader = ResponseReader()
    private var token = ProviderTokenSource.Token(issuedAt: .min, authorization: [])
    /// Whether APNs has taken the token, and its source knows.
    private var isTokenProven = false
    private var isRetiring = false
    private var refusedInARow = 0
    private var goAway: HTTP2GoAway?

    /// Notifications taken from the pool at a time, and sent with one write.
    private static let chunkCount = 256
    /// So many refused streams without an answer between them and the connection is replaced: a session
    /// can look open and refuse everything.
    private static let refusedInARowMax = 2000

    init(number: PoolMachine.ConnectionNumber, pool: ConnectionPool) {
        self.number = number
        self.pool = pool
        let configuration = pool.configuration
        credential = configuration.credential
        retryPolicy = configuration.retryPolicy
        answerTimeoutNanoseconds = UInt64(max(configuration.answerTimeout.wholeMilliseconds, 1)) * 1_000_000
        writer = RequestWriter(authority: configuration.endpoint.authority)
    }

    func connect(with connector: HTTP2Connector, on loop: EventLoop) {
        do {
            http2 = try connector.connect(on: loop, handler: self)
        } catch {
            pool.ended(number, error: error)
        }
    }

    /// Sends nothing more; closes when the last answer has come.
    func retire() {
        isRetiring = true
        guard let http2, !http2.isReady else { return closeIfDone() }
        // Nothing was sent on it, so there is nothing to wait for.
        http2.close()
    }

    // MARK: HTTP2ConnectionHandler

    func connectionReady(_ connection: HTTP2Connection) {
        pool.ready(number)
        fill()
    }

    func connectionChangedSettings(_ connection: HTTP2Connection) {
        fill()
    }

    func connectionHasRoom(_ connection: HTTP2Connection) {
        fill()
    }

    func connection(_ connection: HTTP2Connection, receivedGoAway goAway: HTTP2GoAway) {
        isRetiring = true
        self.goAway = goAway
        pool.retired(number, goAway: ErrorBody(json: goAway.debugData)?.reason)
    }

    func connection(_ connection: HTTP2Connection, received streams: [HTTP2Stream]) {
        let now = EventLoop.monotonicNanoseconds
        var tally = Tally()
        for stream in streams {
            guard let slot = take(stream.tag) else { continue }
            finish(slot, stream, now: now, tally: &tally)
        }
        tally.settle()
        if tally.isUseful, !isTokenProven, case .token(let source) = credential {
            source.proved(issuedAt: token.issuedAt)
            isTokenProven = true
        }
        pool.answered(number, count: tally.answeredCount, isUseful: tally.isUseful)
        fill()
        closeIfDone()
    }

    func connectionTicked(_ connection: HTTP2Connection, nowMilliseconds: UInt64) {
        let now = EventLoop.monotonicNanoseconds
        for index in slots.indices {
            guard let slot = slots[index], !slot.isTimedOut,
                now > slot.startedAtNanoseconds + answerTimeoutNanoseconds
            else { continue }
            slots[index]?.isTimedOut = true
            connection.reset(slot.stream, errorCode: .cancel)
        }
        fill()
        pool.housekeep()
    }

    func connectionClosed(_ connection: HTTP2Connection, error: TransportError?) {
        http2 = nil
        pool.ended(number, error: goAway.map(Self.error) ?? error)
    }

    /// What a GOAWAY says to those who waited for the connection.
    private static func error(of goAway: HTTP2GoAway) -> TransportError {
        let reason = ErrorBody(json: goAway.debugData)?.reason.text ?? goAway.errorCode.description
        return TransportError(.connectionLost, "APNs ended the connection: \(reason)")
    }

    // MARK: Sending

    /// Takes work while streams, window and socket have room.
    func fill() {
        guard let http2, http2.mayOpenStreams, !isRetiring else {
            if let http2, http2.isReady, !isRetiring, !http2.mayOpenStreams {
                isRetiring = true
                pool.retired(number, goAway: nil)
                closeIfDone()
            }
            return
        }
        var hasToken = false
        // A write may find the connection lost, which must not cost what was never sent.
        while !isRetiring, http2.mayOpenStreams {
            let free = http2.peerMaxConcurrentStreams - http2.openStreamCount
            guard free > 0, http2.roomByteCount > 0 else {
                pool.saturated(number)
                return
            }
            guard let work = pool.take(max: min(free, Self.chunkCount), for: number) else { return }
            if !hasToken {
                hasToken = refreshToken(orFail: work)
                guard hasToken else { continue }
            }
            submit(work, on: http2)
            http2.flush()
        }
    }

    private func submit(_ work: WorkQueue<Batch>.Work, on http2: HTTP2Connection) {
        let now = EventLoop.monotonicNanoseconds
        switch work {
        case .fresh(let batch, let range):
            guard !batch.isCancelled else { return pool.fail(work, .cancelled) }
            for index in range {
                guard
                    open(
                        .init(owner: batch, index: index, attemptCount: 0, replayCount: 0), now: now,
                        on: http2)
                else {
                    // The session takes no more streams; the rest goes to another connection.
                    for left in index..<range.upperBound {
                        pool.again(.init(owner: batch, index: left, attemptCount: 0, replayCount: 0))
                    }
                    return
                }
            }
        case .again(let retry):
            guard !retry.owner.isCancelled else { return pool.fail(work, .cancelled) }
            if !open(retry, now: now, on: http2) { pool.again(retry) }
        }
    }

    @inline(__always)
    private func open(
        _ work: WorkQueue<Batch>.Retry, now: UInt64, on http2: HTTP2Connection
    ) -> Bool {
        let (batch, index) = (work.owner, work.index)
        let tag = freeSlots.popLast() ?? slots.count
        var opened: HTTP2Stream?
        writer.write(batch.notifications[index], authorization: token.authorization) { fields in
            opened = http2.open(fields: fields, body: batch.notifications[index].payload, tag: tag)
        }
        guard let stream = opened else {
            if tag < slots.count { freeSlots.append(tag) }
            return false
        }
        let slot = Slot(
            batch: batch, index: index, attemptCount: work.attemptCount &+ 1,
            replayCount: work.replayCount, last: work.last, tokenIssuedAt: token.issuedAt,
            startedAtNanoseconds: now, stream: stream)
        if tag == slots.count { slots.append(slot) } else { slots[tag] = slot }
        return true
    }

    private func take(_ tag: Int) -> Slot? {
        // Moves out: a copy would count two references up and down.
        guard slots.indices.contains(tag), let slot = slots[tag].take() else { return nil }
        freeSlots.append(tag)
        return slot
    }

    /// Looks up the provider token once for a run of work.
    private func refreshToken(orFail work: WorkQueue<Batch>.Work) -> Bool {
        guard case .token(let source) = credential else { return true }
        do {
            let current = try source.current()
            if current.issuedAt != token.issuedAt { isTokenProven = false }
            token = current
            return true
        } catch {
            pool.fail(work, .notSent(TransportError(.argument, "no provider token: \(error.message)")))
            return false
        }
    }

    private func closeIfDone() {
        guard isRetiring, let http2, http2.openStreamCount == 0 else { return }
        http2.closeAfterFlush()
    }

    // MARK: Answers

    private func finish(_ slot: Slot, _ stream: HTTP2Stream, now: UInt64, tally: inout Tally) {
        let latency = UInt32(clamping: (now &- slot.startedAtNanoseconds) / 1000)
        let response = reader.head(of: stream)
        var outcome = Outcome(
            result: .accepted, id: response.id, uniqueID: response.uniqueID, latencyMicroseconds: latency,
            attemptCount: slot.attemptCount)
        if response.status == 200 {
            refusedInARow = 0
            tally.isUseful = true
            tally.answeredCount += 1
            return tally.store(outcome, in: slot.batch, at: slot.index)
        }
        if response.status != 0 {
            refusedInARow = 0
            tally.answeredCount += 1
            // The credential and the state of the service are looked at before the notification.
            if (400..<500).contains(response.status), response.status != 403, response.status != 429 {
                tally.isUseful = true
            }
            let body = reader.errorBody(stream.body, status: response.status)
            outcome.result = .rejected(
                status: response.status, reason: body.reason,
                timestampMilliseconds: body.timestampMilliseconds)
            return finishRejected(slot, outcome, tally: &tally)
        }
        finishUnanswered(slot, stream, outcome, tally: &tally)
    }

    private func finishRejected(_ slot: Slot, _ outcome: Outcome, tally: inout Tally) {
        guard case .rejected(_, let reason, _) = outcome.result else { return }
        var mayRetry = true
        if outcome.disposition == .renew, case .token(let source) = credential {
            mayRetry = source.expired(issuedAt: slot.tokenIssuedAt)
        }
        if reason.requiresNewConnection, mayRetry, !isRetiring {
            // APNs keeps refusing on a connection whose token it has called stale.
            isRetiring = true
            pool.retired(number, goAway: nil, mayReopenAtOnce: true)
        }
        finishOrRetry(slot, outcome, mayRetry: mayRetry, tally: &tally)
    }

    private func finishUnanswered(
        _ slot: Slot, _ stream: HTTP2Stream, _ outcome: Outcome, tally: inout Tally
    ) {
        var outcome = outcome
        let error =
            http2?.endError ?? TransportError(.http2, "the stream ended with \(stream.errorCode)")
        if !slot.isTimedOut, stream.errorCode == .refusedStream || !stream.isFullySent {
            refusedInARow += 1
            if refusedInARow >= Self.refusedInARowMax, !isRetiring {
                isRetiring = true
                pool.retired(number, goAway: nil)
            }
            if slot.replayCount < retryPolicy.replayCountMax, !slot.batch.isCancelled {
                // Not processed, so this attempt does not count.
                return pool.again(
                    .init(
                        owner: slot.batch, index: slot.index, attemptCount: slot.attemptCount &- 1,
                        replayCount: slot.replayCount + 1, last: slot.last))
            }
            outcome.result = .failed(.notSent(error))
            return tally.store(slot.last?.outcome ?? outcome, in: slot.batch, at: slot.index)
        }
        outcome.result = .failed(
            .unknown(slot.isTimedOut ? TransportError(.timeout, "APNs did not answer in time") : error))
        finishOrRetry(slot, outcome, mayRetry: true, tally: &tally)
    }

    private func finishOrRetry(_ slot: Slot, _ outcome: Outcome, mayRetry: Bool, tally: inout Tally) {
        let decision =
            mayRetry && !slot.batch.isCancelled
            ? retryPolicy.decide(
                outcome, firstAttemptAt: slot.batch.startedAtMilliseconds,
                now: pool.configuration.clock.millisecondsSince1970,
                expiration: slot.batch.notifications[slot.index].expiration,
                jitter: Double.random(in: 0...1))
            : .finish
        guard case .retry(let delay) = decision else {
            return tally.store(outcome, in: slot.batch, at: slot.index)
        }
        pool.again(
            .init(
                owner: slot.batch, index: slot.index, attemptCount: slot.attemptCount,
                replayCount: slot.replayCount, last: LastOutcome(outcome)),
            afterMilliseconds: delay)
    }
}

/// Outcomes of one read, counted per batch so that a batch's counter is touched once.
private struct Tally {
    /// Whether an answer shows that APNs takes the connection's credential.
    var isUseful = false
    /// Streams that ended with a status.
    var answeredCount = 0
    private var batch: Batch?
    private var count = 0

    mutating func store(_ outcome: consuming Outcome, in batch: Batch, at index: Int) {
        batch.store(outcome, at: index)
        if self.batch !== batch {
            settle()
            self.batch = batch
        }
        count += 1
    }

    mutating func settle() {
        if let batch, count > 0 { batch.settle(count) }
        count = 0
    }
}
