internal import APNs
internal import APNsClient
internal import PushStore
internal import Recurrence

/// A batch in a sender's hands: which devices are left, their notifications, and what was found out; no I/O.
struct BatchWork: Sendable {
    /// A device that may be sent to.
    struct Row: Sendable {
        var position: Int
        var row: SendableInstallation
    }

    /// A notification that is ready.
    struct Entry: Sendable {
        var position: Int
        var row: SendableInstallation
        var notification: Notification
        var environment: Environment
        /// Whether the topic is the app's or the push's, and no installation's own.
        var hasOurTopic: Bool
        /// Whether it was sent to the other environment before.
        var isSecondTry = false
        var client = -1
    }

    /// Notifications for one client.
    struct Chunk: Sendable {
        var client: any NotificationClient
        var entries: [Int]
        var notifications: [Notification]
    }

    let batch: ClaimedBatch
    private(set) var outcomes: [DeviceOutcome]
    /// Those that have been taken for counting.
    private var takenOutcomes: [DeviceOutcome]
    var articles: [Int]
    var countsForCap = false
    /// Why the whole push has to stop.
    var stop: String?

    private var entries: [Entry] = []
    private var clients: [any NotificationClient] = []
    private var clientIndices: [ClientDirectory.Need: Int] = [:]
    /// Finds a client, for second tries too.
    private var findClient:
        (@Sendable (ClientDirectory.Need) throws(DeliveryError) -> (any NotificationClient)?)?

    // What the next report says, besides outcomes.
    private var environments: [(installation: Int64, environment: Environment)] = []
    private var deadTokens: [BatchReport.DeadToken] = []
    private var deferrals: [BatchReport.Deferral] = []
    private var details: [(position: Int, text: String)] = []
    private var seenArticles: [(installation: Int64, article: String)] = []
    private var answering = DurationHistogram()
    /// Whether answers have come since the last report.
    private(set) var hasNews = false
    private var answerCount = 0
    private var answerMicroseconds: UInt64 = 0

    /// How many notifications a client is handed together.
    private let chunkCount: Int

    init(_ batch: ClaimedBatch, chunkCount: Int = BatchSender.chunkCount) {
        self.batch = batch
        self.chunkCount = chunkCount
        outcomes = batch.outcomes
        takenOutcomes = batch.outcomes
        articles = batch.articles
    }

    /// How long a notification on the wire took to be answered; nil when none was.
    var answeringMilliseconds: Double? {
        answerCount == 0 ? nil : Double(answerMicroseconds) / Double(answerCount) / 1000
    }

    /// The places of devices without an outcome, ascending.
    var pendingPositions: [Int] { outcomes.indices.filter { outcomes[$0] == .pending } }

    /// Gives every pending device the same outcome.
    mutating func endPending(as outcome: DeviceOutcome) {
        for position in outcomes.indices where outcomes[position] == .pending {
            outcomes[position] = outcome
        }
    }

    /// Gives some rows an outcome and takes them out.
    mutating func end(_ rows: inout [Row], as outcome: DeviceOutcome, where isEnded: (Row) -> Bool) {
        rows.removeAll { row in
            guard isEnded(row) else { return false }
            outcomes[row.position] = outcome
            return true
        }
    }

    /// Hands devices that must not be disturbed on to the end of their quiet hours.
    mutating func deferQuiet(_ rows: inout [Row], _ hours: QuietHours, now: Instant) {
        var hours = hours
        rows.removeAll { row in
            guard let end = hours.end(zone: row.row.timeZone, now: now) else { return false }
            hand(on: row.position, notBefore: end, attemptCount: 0)
            return true
        }
    }

    private mutating func hand(on position: Int, notBefore: Instant, attemptCount: Int) {
        outcomes[position] = .moved
        let known = deferrals.firstIndex { $0.notBefore == notBefore && $0.attemptCount == attemptCount }
        if let known {
            deferrals[known].positions.append(position)
        } else {
            deferrals.append(
                BatchReport.Deferral(notBefore: notBefore, positions: [position], attemptCount: attemptCount))
        }
    }

    // MARK: - Notifications

    /// Makes the notifications of rows; whoever is left pending without a row is skipped.
    mutating func makeNotifications(_ rows: [Row], _ shelf: inout ComposerShelf, app: App) {
        let request = batch.push.request
        entries.reserveCapacity(rows.count)
        var isKept = Array(repeating: false, count: outcomes.count)
        for item in rows {
            let row = item.row
            isKept[item.position] = true
            guard let token = try? DeviceToken(hex: row.deviceToken) else {
                outcomes[item.position] = .malformedToken
                continue
            }
            let article = articles.isEmpty ? 0 : articles[item.position]
            let badge = batch.badges.isEmpty ? 0 : batch.badges[item.position]
            switch shelf.compose(for: row, badge: badge, article: article) {
            case .composed(let message):
                // A token's place changes when it is handed on to another batch.
                let number = row.number == 0 ? NotificationIdentity.number(of: token) : row.number
                entries.append(
                    Entry(
                        position: item.position, row: row,
                        notification: message.notification(token: token, id: shelf.identity.id(number)),
                        environment: request.environment ?? row.environment ?? request.fallbackEnvironment,
                        hasOurTopic: request.topic != nil || row.apnsTopic == nil
                            || row.apnsTopic == app.topic))
            case .tooLarge, .invalidTopic:
                outcomes[item.position] = .invalidContent
            }
        }
        for position in outcomes.indices where outcomes[position] == .pending && !isKept[position] {
            outcomes[position] = .skipped
        }
    }

    /// Finds each notification's client; devices nobody has a credential for get that as their outcome.
    mutating func assignClients(
        _ find: @escaping @Sendable (ClientDirectory.Need) throws(DeliveryError) -> (any NotificationClient)?
    ) throws(DeliveryError) {
        findClient = find
        for index in entries.indices {
            let environment = entries[index].environment
            if let client = try client(for: entries[index], in: environment) {
                entries[index].client = client
                continue
            }
            // A key may be for one environment only; an installation of an unknown one is tried there.
            let other = environment.other
            if batch.push.request.environment == nil, entries[index].row.environment == nil,
                let client = try client(for: entries[index], in: other)
            {
                entries[index].environment = other
                entries[index].client = client
                continue
            }
            outcomes[entries[index].position] = .noCredential
        }
    }

    private mutating func client(
        for entry: Entry, in environment: Environment
    ) throws(DeliveryError) -> Int? {
        let request = batch.push.request
        let need = ClientDirectory.Need(
            environment: environment, teamID: request.teamID ?? entry.row.apnsTeamID,
            deviceProfile: request.deviceProfile ?? entry.row.deviceProfile,
            topic: entry.notification.topic.rawValue)
        if let known = clientIndices[need] { return known < 0 ? nil : known }
        guard let client = try findClient?(need) else {
            clientIndices[need] = -1
            return nil
        }
        clients.append(client)
        clientIndices[need] = clients.count - 1
        return clients.count - 1
    }

    /// The notifications by client, in groups.
    func chunks() -> [Chunk] {
        chunks(entries.indices.filter { entries[$0].client >= 0 })
    }

    private func chunks(_ indices: [Int]) -> [Chunk] {
        var chunks: [Chunk] = []
        for client in clients.indices {
            var mine = indices.filter { entries[$0].client == client }[...]
            while !mine.isEmpty {
                let part = Array(mine.prefix(chunkCount))
                mine = mine.dropFirst(chunkCount)
                chunks.append(
                    Chunk(
                        client: clients[client], entries: part,
                        notifications: part.map { entries[$0].notification }))
            }
        }
        return chunks
    }

    // MARK: - Answers

    /// Takes APNs' answers.
    ///
    /// - Returns: notifications to try in the other environment.
    mutating func take(
        _ answers: [Outcome], of indices: [Int], isShownOnce: Bool, digest: Digest?, now: Instant
    ) -> [Chunk] {
        var again: [Int] = []
        hasNews = hasNews || !answers.isEmpty
        for (answer, index) in zip(answers, indices) {
            let entry = entries[index]
            if answer.latencyMicroseconds > 0 {
                answering.add(microseconds: UInt64(answer.latencyMicroseconds))
                answerCount += 1
                answerMicroseconds += UInt64(answer.latencyMicroseconds)
            }
            switch answer.result {
            case .accepted:
                outcomes[entry.position] = .accepted
                guard entry.row.number > 0 else { continue }
                if entry.row.environment != entry.environment {
                    environments.append((entry.row.number, entry.environment))
                }
                if let digest, !articles.isEmpty {
                    seenArticles.append((entry.row.number, digest.articles[articles[entry.position]].id))
                }
            case .rejected(_, .badDeviceToken, _) where trySecond(index):
                again.append(index)
            case .rejected(let status, let reason, let timestamp):
                reject(entry, answer.result, status, reason, timestamp, isShownOnce: isShownOnce, now: now)
            case .failed(.cancelled):
                // Not sent: it stays pending.
                continue
            case .failed:
                decide(entry, answer.result, isShownOnce: isShownOnce, now: now)
            }
        }
        return chunks(again)
    }

    /// Readies a notification for the other environment, if the request leaves that open.
    private mutating func trySecond(_ index: Int) -> Bool {
        let entry = entries[index]
        guard !entry.isSecondTry, batch.push.request.environment == nil, entry.row.number > 0,
            let client = try? client(for: entry, in: entry.environment.other)
        else { return false }
        entries[index].isSecondTry = true
        entries[index].environment = entry.environment.other
        entries[index].client = client
        return true
    }

    private mutating func reject(
        _ entry: Entry, _ result: Outcome.Result, _ status: Int, _ reason: Reason, _ timestamp: Int64?,
        isShownOnce: Bool, now: Instant
    ) {
        let outcome = DeviceOutcome(refusedFor: reason)
        if status == 410, let timestamp, entry.row.number > 0 {
            deadTokens.append(
                BatchReport.DeadToken(
                    installation: entry.row.number, deviceToken: entry.row.deviceToken,
                    reason: reason.text, at: Instant(millisecondsSince1970: timestamp)))
        }
        let disposition = reason.isKnown ? reason.disposition : Reason.Disposition(status: status)
        if disposition == .fix, entry.isSecondTry {
            // Only a guess: the key may not be for the other environment. The first answer stands.
            outcomes[entry.position] = DeviceOutcome(refusedFor: .badDeviceToken)
            return
        }
        // A reason nobody knows may be about one device alone, unless it is about the credential.
        let isOurs = reason.isKnown || status == 403
        if disposition == .fix, isOurs, entry.hasOurTopic, !outcome.isInvalidToken {
            // Everybody else would be refused for the same reason. The device stays pending: once this is
            // mended, the push is resumed and reaches it.
            stop = stop ?? "APNs refused the push: \(reason.text) (\(status))"
            return
        }
        if outcome == .refusedOtherwise { details.append((entry.position, reason.text)) }
        decide(entry, result, isShownOnce: isShownOnce, now: now)
    }

    /// Takes the answer to a broadcast, which is the only request of its batch.
    mutating func settle(_ result: Outcome.Result, microseconds: UInt64, now: Instant) {
        answering.add(microseconds: microseconds)
        if case .rejected(let status, let reason, _) = result {
            // Only what is wrong with the set-up is mended; a channel that is gone stays gone.
            let isOurs = status == 403 || [.topicDisallowed, .featureNotEnabled].contains(reason)
            let disposition = reason.isKnown ? reason.disposition : Reason.Disposition(status: status)
            if isOurs, disposition == .fix {
                stop = "APNs refused the push: \(reason.text) (\(status))"
                return
            }
            if DeviceOutcome(refusedFor: reason) == .refusedOtherwise { details.append((0, reason.text)) }
        }
        // A Live Activity's update looks the same when it comes twice.
        let decision = RetryPlan.decide(
            result, attemptCount: batch.attemptCount, isShownOnce: true, dueAt: batch.push.dueAt,
            expiresAt: batch.push.expiresAt, now: now)
        take(decision, at: 0)
    }

    private mutating func decide(
        _ entry: Entry, _ result: Outcome.Result, isShownOnce: Bool, now: Instant
    ) {
        let decision = RetryPlan.decide(
            result, attemptCount: batch.attemptCount, isShownOnce: isShownOnce, dueAt: batch.push.dueAt,
            expiresAt: batch.push.expiresAt, now: now)
        take(decision, at: entry.position)
    }

    private mutating func take(_ decision: RetryPlan.Decision, at position: Int) {
        switch decision {
        case .finish(let outcome): outcomes[position] = outcome
        case .again(let time):
            // To the second, so that devices that wait alike share a batch.
            let second = Instant(secondsSince1970: time.secondsSince1970 + 1)
            hand(on: position, notBefore: second, attemptCount: batch.attemptCount + 1)
        }
    }

    // MARK: - Reports

    /// How many devices have got which outcome since this was last asked; those handed on have none yet.
    mutating func takeNewOutcomes() -> [DeviceOutcome: Int] {
        var counts = Array(repeating: 0, count: Int(UInt8.max) + 1)
        for position in outcomes.indices where outcomes[position] != takenOutcomes[position] {
            counts[Int(outcomes[position].rawValue)] += 1
        }
        takenOutcomes = outcomes
        var byOutcome: [DeviceOutcome: Int] = [:]
        for (byte, count) in counts.enumerated() where count > 0 {
            let outcome = DeviceOutcome(rawValue: UInt8(byte))
            if outcome.isDevice { byOutcome[outcome] = count }
        }
        return byOutcome
    }

    /// What has been found out since the last report.
    mutating func report(next: BatchReport.Next) -> BatchReport {
        var report = BatchReport(outcomes: outcomes, next: next)
        report.environments = environments
        report.deadTokens = deadTokens
        report.deferrals = deferrals.map { deferral in
            var deferral = deferral
            deferral.positions.sort()
            return deferral
        }
        report.details = details
        report.articles = articles
        report.seenArticles = seenArticles
        report.countsForCap = countsForCap
        report.answering = answering
        hasNews = false
        environments = []
        deadTokens = []
        deferrals = []
        details = []
        seenArticles = []
        answering = DurationHistogram()
        return report
    }
}

extension Environment {
    /// The one this is not.
    fileprivate var other: Environment { self == .production ? .sandbox : .production }
}
