import APNs
import PushStore
import Recurrence
import Testing

/// What is known of a push afterwards, and what reports do to installations.
@Suite(.timeLimit(.minutes(10)))
struct StoreConformanceRecordTests {
    private let unregistered = DeviceOutcome(refusedFor: Reason("Unregistered"))

    @Test(arguments: StoreUnderTest.allCases)
    func `a dead token's row goes unless it registered again since`(kind: StoreUnderTest) async throws {
        try await PushWorld.with(kind) { world in
            let dead = try await world.install(1, at: -100)
            let again = try await world.install(2, at: -100)
            let changed = try await world.install(3, at: -100)
            _ = try await world.push()
            try await world.plan()
            let batch = try #require(try await world.claim())
            // One registers the same token again after APNs' timestamp, another has a new token by now.
            try await world.install(2, at: 10)
            _ = try await world.store.update(changed, ["deviceToken": "ab"], world.app, at: 3)
            var report = BatchReport(outcomes: Array(repeating: unregistered, count: 3), next: .finish)
            report.deadTokens = [dead, again, changed].map {
                .init(
                    installation: $0.number, deviceToken: $0.deviceToken ?? "", reason: "Unregistered",
                    at: .test(5))
            }
            _ = try await world.store.store(report, of: batch, now: .test(20))
            let rest = try await world.store.installations(
                InstallationFind(), app: world.app.number, now: .test(20))
            #expect(Set(rest.map(\.number)) == [again.number, changed.number])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `a learned environment is kept`(kind: StoreUnderTest) async throws {
        try await PushWorld.with(kind) { world in
            let row = try await world.install(1)
            _ = try await world.push()
            try await world.plan()
            let batch = try #require(try await world.claim())
            var report = BatchReport(outcomes: [.accepted], next: .finish)
            report.environments = [(row.number, .sandbox)]
            _ = try await world.store.store(report, of: batch, now: .test())
            #expect(try await world.reached(at: 1) { $0.environment = .production } == [])
            #expect(try await world.reached(at: 1) { $0.environment = .sandbox } == [row.number])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `a report that comes twice hands its devices on once`(kind: StoreUnderTest) async throws {
        try await PushWorld.with(kind) { world in
            try await world.installMany(10)
            let push = try await world.push()
            try await world.plan()
            let batch = try #require(try await world.claim())
            var report = BatchReport(
                outcomes: [.moved, .moved] + Array(repeating: .pending, count: 8),
                next: .goOn(leaseUntil: .test(60)))
            report.deferrals = [.init(notBefore: .test(5), positions: [0, 1], attemptCount: 1)]
            for _ in 0..<2 { _ = try await world.store.store(report, of: batch, now: .test()) }
            // One more that is new goes with the repeated ones.
            report.outcomes[2] = .moved
            report.deferrals[0].positions = [0, 1, 2]
            _ = try await world.store.store(report, of: batch, now: .test())
            report.deferrals = []
            report.outcomes = report.outcomes.map { $0 == .pending ? .accepted : $0 }
            report.next = .finish
            _ = try await world.store.store(report, of: batch, now: .test())
            let later = [
                try #require(try await world.claim(at: 10)), try #require(try await world.claim(at: 10)),
            ]
            #expect(
                later.map(\.installations) == [Array(batch.installations[0...1]), [batch.installations[2]]])
            for each in later { try await world.finish(each, at: 10) }
            #expect(try await world.claim(at: 10) == nil)
            try await world.plan(at: 10)
            let record = try #require(try await world.record(push))
            #expect(record.deviceCount == 10 && record.outcomes[.accepted] == 10)
            #expect(record.status == "done")
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `devices handed on are counted where they went and nowhere twice`(
        kind: StoreUnderTest
    ) async throws {
        try await PushWorld.with(kind) { world in
            for number in 1...5 { try await world.install(number) }
            let push = try await world.push()
            try await world.plan()
            let batch = try #require(try await world.claim())
            var report = BatchReport(
                outcomes: [.accepted, .moved, .accepted, .moved, .moved], next: .finish)
            report.deferrals = [
                .init(notBefore: .test(50), positions: [1, 4], attemptCount: 1),
                .init(notBefore: .test(70), positions: [3], attemptCount: 2),
            ]
            _ = try await world.store.store(report, of: batch, now: .test(1))
            try await world.plan(at: 2)
            #expect(try await world.state(push) == .running)
            #expect(try await world.record(push)?.deviceCount == 5)
            #expect(try await world.record(push)?.pendingCount == 3)
            #expect(try await world.claim(at: 49) == nil)
            let later = try #require(try await world.claim(at: 50))
            #expect(later.installations == [batch.installations[1], batch.installations[4]])
            #expect(later.attemptCount == 1 && later.push.objectID == push.objectID)
            try await world.finish(later, at: 50)
            let last = try #require(try await world.claim(at: 70))
            #expect(last.attemptCount == 2)
            try await world.finish(last, as: .unreachable, at: 70)
            try await world.plan(at: 70)
            let record = try #require(try await world.record(push))
            #expect(record.status == "done" && record.deviceCount == 5 && record.successCount == 4)
            #expect(record.outcomes == [.accepted: 4, .unreachable: 1, .moved: 3])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `tokens handed on keep their order`(kind: StoreUnderTest) async throws {
        try await PushWorld.with(kind) { world in
            let push = try await world.push { $0.deviceTokens = ["aa", "bb", "cc"] }
            try await world.plan()
            let batch = try #require(try await world.claim())
            var report = BatchReport(outcomes: [.moved, .accepted, .moved], next: .finish)
            report.deferrals = [.init(notBefore: .test(9), positions: [0, 2], attemptCount: 1)]
            _ = try await world.store.store(report, of: batch, now: .test(1))
            let later = try #require(try await world.claim(at: 9))
            #expect(later.deviceTokens == ["aa", "cc"])
            try await world.finish(later, at: 9)
            try await world.plan(at: 9)
            #expect(try await world.record(push)?.successCount == 3)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `a deleted record takes what was queued along`(kind: StoreUnderTest) async throws {
        try await PushWorld.with(kind) { world in
            try await world.installMany(1_500)
            let push = try await world.push()
            try await world.plan()
            let held = try #require(try await world.claim())
            let other = try await world.store.makeApp("other")
            #expect(
                try await !world.store.deleteRecord(id: push.recordID, app: other.number, now: .test()))
            #expect(
                try await world.store.deleteRecord(id: push.recordID, app: world.app.number, now: .test()))
            #expect(try await world.record(push) == nil)
            #expect(try await world.claim(at: 999) == nil)
            let error = await #expect(throws: StoreError.self) { try await world.finish(held) }
            #expect(error?.code == .leaseLost)
            #expect(
                try await !world.store.deleteRecord(id: push.recordID, app: world.app.number, now: .test()))
            #expect(try await world.plan(at: 1_000) == nil)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `each installation opens a push once`(kind: StoreUnderTest) async throws {
        try await PushWorld.with(kind) { world in
            let push = try await world.push { $0.notificationID = "n" }
            for (index, name) in ["a", "a", "b", nil, nil].enumerated() {
                #expect(
                    try await world.store.countOpen(
                        record: index.isMultiple(of: 2) ? "n" : push.objectID, installation: name,
                        app: world.app.number, now: .test(Int64(index))))
            }
            #expect(try await world.record(push)?.openCount == 4)
            #expect(
                try await !world.store.countOpen(
                    record: "unknown", installation: "a", app: world.app.number, now: .test()))
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `each installation receives a push once, and only a push that there is`(
        kind: StoreUnderTest
    ) async throws {
        try await PushWorld.with(kind) { world in
            let (a, b) = (try await world.install(1), try await world.install(2))
            let push = try await world.push { $0.notificationID = "n" }
            let other = try await world.push()
            func receive(
                _ source: BehaviourEvent.Source, _ article: String?, at second: Int64
            ) async throws -> Bool {
                try await world.store.recordEvents(
                    [
                        BehaviourEvent(
                            source: source, name: BehaviourEvent.receiptName, article: article,
                            at: .test(second))
                    ], app: world.app.number, now: .test(50)) == [true]
            }
            #expect(try await receive(.objectID(a.objectID), push.objectID, at: 3))
            #expect(try await receive(.objectID(a.objectID), "n", at: 4))
            #expect(try await receive(.deviceToken(try #require(b.deviceToken)), push.recordID, at: 5))
            #expect(try await !receive(.objectID("unknown"), push.objectID, at: 6))
            #expect(try await !receive(.objectID(a.objectID), "unknown", at: 6))
            #expect(try await !receive(.objectID(a.objectID), nil, at: 6))
            #expect(try await world.record(push)?.receiptCount == 2)
            #expect(try await world.record(push)?.openCount == 0)
            #expect(try await world.record(other)?.receiptCount == 0)
            let evidence = try await world.store.evidence(
                push: push.objectID, installation: a.objectID, app: world.app.number)
            #expect(evidence?.receivedAt == .test(3) && evidence?.openedAt == nil)
            // The latest events of an installation are what its user did.
            #expect(
                try await world.store.recentEvents(objectID: a.objectID, limit: 9, app: world.app.number)
                    == [])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `evidence tells where a device was planned, what became of it and when it was opened`(
        kind: StoreUnderTest
    ) async throws {
        try await PushWorld.with(kind) { world in
            let a = try await world.install(1)
            let b = try await world.install(2)
            let c = try await world.install(3, ["valid": false])
            let push = try await world.push()
            try await world.plan()
            let batch = try #require(try await world.claim(at: 1))
            var report = BatchReport(outcomes: [.moved, .refusedOtherwise], next: .finish)
            report.deferrals = [.init(notBefore: .test(30), positions: [0], attemptCount: 1)]
            report.details = [(1, "SomethingNew")]
            report.answering.add(microseconds: 1_500)
            _ = try await world.store.store(report, of: batch, now: .test(2))
            try await world.finish(try #require(try await world.claim(at: 30)), at: 31)
            _ = try await world.store.countOpen(
                record: push.recordID, installation: a.objectID, app: world.app.number, now: .test(40))

            func evidence(_ row: Installation) async throws -> DeliveryEvidence? {
                try await world.store.evidence(
                    push: push.objectID, installation: row.objectID, app: world.app.number)
            }
            let ofA = try #require(try await evidence(a))
            #expect(ofA.placements.map(\.outcome) == [.moved, .accepted])
            #expect(ofA.placements.map(\.claimedAt) == [.test(1), .test(30)])
            #expect(ofA.placements.map(\.finishedAt) == [.test(2), .test(31)])
            #expect(ofA.placements.last?.notBefore == .test(30))
            #expect(ofA.openedAt == .test(40) && ofA.installation?.number == a.number)
            let ofB = try #require(try await evidence(b))
            #expect(ofB.placements.map(\.outcome) == [.refusedOtherwise])
            #expect(ofB.placements.map(\.detail) == ["SomethingNew"] && ofB.openedAt == nil)
            #expect(try await evidence(c)?.placements == [])
            #expect(
                try await world.store.evidence(push: "none", installation: a.objectID, app: world.app.number)
                    == nil)
            let timing = try #require(try await world.record(push)?.answering)
            #expect((2...3).contains(timing.median))
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `a frequency cap counts each push once for each device`(kind: StoreUnderTest) async throws {
        try await PushWorld.with(kind) { world in
            let row = try await world.install(1).number
            func take(_ push: Int64, at seconds: Int64, since: Int64) async throws -> Set<Int64> {
                try await world.store.takeSends(
                    [row], push: push, countMax: 1, since: .test(since), now: .test(seconds))
            }
            #expect(try await take(1, at: 1, since: 0) == [])
            #expect(try await take(1, at: 2, since: 0) == [], "a push has one place, however often it asks")
            #expect(try await take(2, at: 3, since: 1) == [row])
            #expect(try await take(2, at: 3, since: 2) == [], "what was at the span's beginning is before it")
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `places under a frequency cap are kept by who was shown the push and given back by others`(
        kind: StoreUnderTest
    ) async throws {
        try await PushWorld.with(kind) { world in
            var rows: [Int64] = []
            for number in 1...6 { rows.append(try await world.install(number).number) }
            let numbers = rows
            let push = try await world.push()
            try await world.plan()
            func free(_ push: Int64) async throws -> Set<Int64> {
                let refused = try await world.store.takeSends(
                    numbers, push: push, countMax: 1, since: .test(-100), now: .test(1))
                return Set(numbers).subtracting(refused)
            }
            let batch = try #require(try await world.claim())
            #expect(try await free(push.number) == Set(numbers))
            let bad = DeviceOutcome(refusedFor: Reason("BadDeviceToken"))
            var report = BatchReport(
                outcomes: [.accepted, .unanswered, bad, .skipped, .pending, .pending],
                next: .goOn(leaseUntil: .test(60)))
            report.countsForCap = true
            _ = try await world.store.store(report, of: batch, now: .test(1))
            #expect(
                try await free(90) == [numbers[2], numbers[3]], "who is not answered yet keeps its place")
            report.deferrals = [.init(notBefore: .test(50), positions: [4], attemptCount: 1)]
            report.next = .giveBack
            _ = try await world.store.store(report, of: batch, now: .test(2))
            #expect(
                try await free(91) == [numbers[5]],
                "who is tried again keeps it, who was not sent to does not")
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `pushes that are sent at once keep to the frequency cap exactly`(kind: StoreUnderTest) async throws {
        try await PushWorld.with(kind) { world in
            try await world.installMany(300)
            let numbers = try await world.store.scanInstallations(
                nil, after: 0, limit: 300, app: world.app.number, now: .test()
            ).map(\.number)
            #expect(numbers.count == 300)
            let given = try await withThrowingTaskGroup(of: Set<Int64>.self) { group in
                for push in Int64(1)...8 {
                    group.addTask {
                        let refused = try await world.store.takeSends(
                            numbers, push: push, countMax: 3, since: .test(-60), now: .test())
                        return Set(numbers).subtracting(refused)
                    }
                }
                return try await group.reduce(into: [Set<Int64>]()) { $0.append($1) }
            }
            for number in numbers { #expect(given.count { $0.contains(number) } == 3) }
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `records go when their app keeps them no longer and nothing is open`(
        kind: StoreUnderTest
    ) async throws {
        try await PushWorld.with(kind) { world in
            let day: Int64 = 86_400
            let done = try await world.push()
            try await world.plan()
            let open = try await world.push { $0.time = .at(.test(30 * day)) }
            #expect(try await world.store.removeOldRecords(now: .test(7 * day), limit: 10) == 0)
            let count = try await world.store.removeOldRecords(now: .test(7 * day + 1), limit: 10)
            #expect(count == 1)
            #expect(try await world.record(done) == nil)
            #expect(try await world.record(open) != nil)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `scheduled pushes are listed and cancelled by number`(kind: StoreUnderTest) async throws {
        try await PushWorld.with(kind) { world in
            let late = try await world.push { $0.time = .at(.test(200)) }
            let soon = try await world.push { $0.time = .at(.test(100)) }
            #expect(
                try await world.store.scheduledPushes(app: world.app.number).map(\.number)
                    == [soon.number, late.number])
            #expect(try await world.record(soon)?.status == "scheduled")
            #expect(
                try await world.store.cancelScheduledPush(
                    number: soon.number, app: world.app.number, now: .test()))
            #expect(
                try await !world.store.cancelScheduledPush(
                    number: soon.number, app: world.app.number, now: .test()))
            #expect(
                try await world.store.scheduledPushes(app: world.app.number).map(\.number) == [late.number])
            #expect(try await world.plan(at: 150) == .test(200))
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `the queue is counted`(kind: StoreUnderTest) async throws {
        try await PushWorld.with(kind) { world in
            try await world.installMany(2_500)
            _ = try await world.push()
            _ = try await world.push { $0.time = .at(.test(100)) }
            try await world.plan()
            _ = try await world.claim()
            let counts = try await world.store.queueCounts(now: .test())
            #expect(
                counts
                    == QueueCounts(
                        pushes: [.running: 1, .scheduled: 1], readyBatchCount: 2, claimedBatchCount: 1,
                        pendingDeviceCount: 2_500, oldestDueAt: .test()))
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `pushes that a fault has stopped are counted apart from those that somebody paused`(
        kind: StoreUnderTest
    ) async throws {
        try await PushWorld.with(kind) { world in
            try await world.install(1)
            let stopped = try await world.push()
            try await world.plan()
            let batch = try #require(try await world.claim())
            _ = try await world.store.store(
                BatchReport(outcomes: batch.outcomes, next: .stop("TopicDisallowed")), of: batch, now: .test()
            )
            let paused = try await world.push()
            _ = try await world.set(.paused, paused)
            var counts = try await world.store.queueCounts(now: .test())
            #expect(counts.pushes == [.paused: 2] && counts.stoppedPushCount == 1)
            // Whoever pauses it too changes nothing: it is a fault's until it is resumed.
            _ = try await world.set(.paused, stopped)
            #expect(try await world.store.queueCounts(now: .test()).stoppedPushCount == 1)
            _ = try await world.set(.running, stopped)
            counts = try await world.store.queueCounts(now: .test())
            #expect(counts.pushes == [.running: 1, .paused: 1] && counts.stoppedPushCount == 0)
            _ = try await world.set(.paused, stopped)
            #expect(try await world.store.queueCounts(now: .test()).stoppedPushCount == 0)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `the oldest batch that is due and that nobody has taken says since when`(
        kind: StoreUnderTest
    ) async throws {
        try await PushWorld.with(kind) { world in
            func oldest(at seconds: Int64) async throws -> Instant? {
                try await world.store.queueCounts(now: .test(seconds)).oldestDueAt
            }
            try await world.install(1)
            #expect(try await oldest(at: 0) == nil)
            let push = try await world.push()
            try await world.plan(at: 10)
            let later = try await world.push(at: 20)
            try await world.plan(at: 20)
            #expect(try await oldest(at: 90) == .test(10))
            #expect(try await oldest(at: 9) == nil, "a clock that was put back makes nothing due")
            let batch = try #require(try await world.claim(at: 90))
            #expect(batch.push.objectID == push.objectID)
            #expect(try await oldest(at: 91) == .test(20))
            // Handed on to a time that has not come.
            var report = BatchReport(outcomes: [.pending], next: .finish)
            report.deferrals = [BatchReport.Deferral(notBefore: .test(500), positions: [0], attemptCount: 1)]
            _ = try await world.store.store(report, of: batch, now: .test(92))
            _ = try await world.set(.paused, later, at: 93)
            #expect(try await oldest(at: 499) == nil, "what is paused is not due")
            #expect(try await oldest(at: 501) == .test(500))
        }
    }
}
