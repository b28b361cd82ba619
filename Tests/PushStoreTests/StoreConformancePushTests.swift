import APNs
import PushStore
import Recurrence
import Testing

/// Requests, planning, claims and outcomes.
@Suite(.timeLimit(.minutes(10)))
struct StoreConformancePushTests {
    // MARK: Requests

    @Test(arguments: StoreUnderTest.allCases)
    func `the same req_id within five minutes is one push and afterwards another`(
        kind: StoreUnderTest
    ) async throws {
        try await PushWorld.with(kind) { world in
            var request = PushRequest(data: ["alert": "a"])
            request.requestID = "r1"
            let other = try await world.store.makeApp("other")
            let first = try await world.store.createPush(request, app: world.app, now: .test())
            let again = try await world.store.createPush(request, app: world.app, now: .test(299))
            let elsewhere = try await world.store.createPush(request, app: other, now: .test(1))
            let later = try await world.store.createPush(request, app: world.app, now: .test(300))
            #expect(first.isNew && elsewhere.isNew && later.isNew)
            #expect(!again.isNew && again.push == first.push)
            #expect(later.push.objectID != first.push.objectID)
            #expect(try await world.store.records(limit: 10, skip: 0, app: world.app.number).count == 2)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `a push that has begun is planned though the clock is set back meanwhile`(
        kind: StoreUnderTest
    ) async throws {
        try await PushWorld.with(kind) { world in
            try await world.installMany(3)
            let push = try await world.push(at: 100)
            _ = try await world.store.advance(now: .test(100))
            // Once for the turn of the oldest and once for that of the app.
            _ = try await world.store.planChunk(now: .test(-3_500))
            _ = try await world.store.planChunk(now: .test(-3_500))
            #expect(try await world.sendAll(at: .test(-3_500)).count == 3)
            try await world.plan(at: -3_500)
            #expect(try await world.record(push)?.status == "done")
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `requests that come at once with one req_id make one push`(kind: StoreUnderTest) async throws {
        try await PushWorld.with(kind) { world in
            var request = PushRequest(data: ["alert": "a"])
            request.requestID = "r1"
            let wanted = request
            let pushes = try await withThrowingTaskGroup(of: Push.self) { group in
                for _ in 0..<50 {
                    group.addTask {
                        try await world.store.createPush(wanted, app: world.app, now: .test()).push
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(pushes.count == 50)
            #expect(Set(pushes.map(\.objectID)).count == 1)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `pushes with one notification id share a record and its counts`(kind: StoreUnderTest) async throws {
        try await PushWorld.with(kind) { world in
            for number in 1...3 { try await world.install(number) }
            let one = try await world.push { $0.notificationID = "morning" }
            let two = try await world.push(at: 1) { $0.notificationID = "morning" }
            #expect(one.objectID != two.objectID && one.recordID == two.recordID)
            try await world.plan(at: 1)
            #expect(try await world.sendAll(at: .test(1)).count == 6)
            try await world.plan(at: 1)
            for id in ["morning", one.recordID, two.objectID] {
                let record = try #require(try await world.store.record(id: id, app: world.app.number))
                #expect(record.pushes.map(\.objectID) == [one.objectID, two.objectID])
                #expect(record.outcomes == [.accepted: 6])
                #expect(record.status == "done" && record.notificationID == "morning")
            }
            #expect(try await world.store.records(limit: 10, skip: 0, app: world.app.number).count == 1)
            let other = try await world.store.makeApp("other")
            #expect(try await world.store.record(id: "morning", app: other.number) == nil)
        }
    }

    // MARK: Planning

    @Test(arguments: StoreUnderTest.allCases)
    func `an audience is exactly who can and shall be reached, in the order of numbers`(
        kind: StoreUnderTest
    ) async throws {
        try await PushWorld.with(kind) { world in
            let other = try await world.store.makeApp("other")
            try await world.install(1, app: other)
            let a = try await world.install(1, ["channels": ["news", "sports"], "level": 1]).number
            let b = try await world.install(2, ["channels": ["news"], "level": 2, "test": true]).number
            let c = try await world.install(
                3, ["channels": ["sports"], "level": 3, "environment": "sandbox"]
            )
            .number
            let d = try await world.install(4, ["environment": "production", "deviceType": "macos"]).number
            try await world.install(5, ["valid": false, "channels": ["news"]])
            try await world.install(6, ["deviceType": "android", "channels": ["news"]])
            try await world.install(7, ["channels": ["news"]], at: -90 * 86_400 - 1)
            let g = try await world.install(8, at: -90 * 86_400).number
            _ = try await world.store.save(["installationId": "no-token"], world.app, at: -1)

            #expect(try await world.reached() == [a, b, c, d, g])
            #expect(try await world.reached { $0.channels = ["news"] } == [a, b])
            #expect(try await world.reached { $0.channels = ["sports", "news"] } == [a, b, c])
            #expect(try await world.reached { $0.channels = [] } == [])
            #expect(try await world.reached { $0.channels = ["nobody"] } == [])
            #expect(try await world.reached { $0.channels = ["') OR 1=1 --"] } == [])
            let atLeastTwo = try WhereClause(["level": ["$gte": 2]])
            #expect(try await world.reached { $0.filter = atLeastTwo } == [b, c])
            #expect(
                try await world.reached {
                    $0.filter = atLeastTwo
                    $0.channels = ["news"]
                } == [b])
            #expect(
                try await world.reached {
                    $0.filter = atLeastTwo
                    $0.channels = []
                } == [])
            #expect(try await world.reached { $0.environment = .sandbox } == [a, b, c, g])
            #expect(try await world.reached { $0.environment = .production } == [a, b, d, g])
            #expect(try await world.reached { $0.isTest = true } == [b])
            var request = PushRequest(data: [:])
            request.channels = ["sports", "news"]
            let count = try await world.store.audience(of: request, app: world.app, now: .test())
            #expect(count.total == 3)
            #expect(count.environments == [nil: 2, .sandbox: 1])
            #expect(count.timeZones == [nil: 3])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `a large audience is walked once into batches of at most a thousand`(
        kind: StoreUnderTest
    ) async throws {
        try await PushWorld.with(kind) { world in
            let count = 23_456
            try await world.installMany(count)
            let push = try await world.push()
            try await world.plan()
            var numbers: [Int64] = []
            while let batch = try await world.claim() {
                #expect((1...1_000).contains(batch.count))
                #expect(batch.installations.count == batch.count)
                numbers += batch.installations
                try await world.finish(batch)
            }
            #expect(numbers.count == count)
            #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 })
            try await world.plan()
            #expect(try await world.state(push) == .done)
            #expect(try await world.record(push)?.outcomes == [.accepted: count])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `planners at work together write each device once`(kind: StoreUnderTest) async throws {
        try await PushWorld.with(kind) { world in
            try await world.installMany(12_000)
            _ = try await world.push()
            _ = try await world.store.advance(now: .test())
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<4 {
                    group.addTask { while try await world.store.planChunk(now: .test()) {} }
                }
                try await group.waitForAll()
            }
            let numbers = try await world.sendAll(at: .test())
            #expect(numbers.count == 12_000 && Set(numbers).count == 12_000)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `a push to nobody ends at once`(kind: StoreUnderTest) async throws {
        try await PushWorld.with(kind) { world in
            let push = try await world.push()
            _ = try await world.store.advance(now: .test())
            while try await world.store.planChunk(now: .test()) {}
            let ended = try await world.store.advance(now: .test(1)).ended
            #expect(ended.map(\.objectID) == [push.objectID])
            #expect(ended.map(\.state) == [.done], "whoever is told sees what it is now")
            #expect(ended.map(\.endedAt) == [.test(1)])
            #expect(try await world.record(push)?.deviceCount == 0)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `device tokens given with a push are in batches of at most a thousand`(
        kind: StoreUnderTest
    ) async throws {
        try await PushWorld.with(kind) { world in
            let tokens = (1...2_500).map(PushWorld.token)
            let push = try await world.push { $0.deviceTokens = tokens }
            try await world.plan()
            var found: [String] = []
            while let batch = try await world.claim() {
                #expect(batch.count <= 1_000 && batch.installations.isEmpty)
                found += batch.deviceTokens
                try await world.finish(batch)
            }
            #expect(found == tokens)
            try await world.plan()
            #expect(try await world.record(push)?.outcomes == [.accepted: 2_500])
        }
    }

    // MARK: Claims

    @Test(arguments: StoreUnderTest.allCases)
    func `senders at once get each batch once`(kind: StoreUnderTest) async throws {
        try await PushWorld.with(kind) { world in
            try await world.installMany(20_000)
            _ = try await world.push()
            try await world.plan()
            let claimed = try await withThrowingTaskGroup(of: [Int64].self) { group in
                for lane in 0..<8 {
                    group.addTask {
                        var numbers: [Int64] = []
                        while let batch = try await world.claim("lane \(lane)") {
                            numbers.append(batch.number)
                        }
                        return numbers
                    }
                }
                return try await group.reduce(into: [Int64]()) { $0 += $1 }
            }
            #expect(claimed.count == 20 && Set(claimed).count == 20)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `what the caller's own senders have in hand is not abandoned, whatever the clock says`(
        kind: StoreUnderTest
    ) async throws {
        try await PushWorld.with(kind) { world in
            for number in 1...2 { try await world.install(number) }
            _ = try await world.push()
            _ = try await world.push()
            try await world.plan()
            let first = try #require(try await world.claim("one"))
            let second = try #require(try await world.claim("one", at: 1))
            #expect(try await world.store.nextBatchTime(held: [first.number]) == .test(61))
            // The clock is put forward by an hour.
            #expect(
                try await world.store.nextBatchTime(held: [first.number, second.number, 999_999]) == nil)
            #expect(
                try await world.claim("one", at: 3_600, held: [first.number, second.number, 999_999]) == nil)
            #expect(
                try await world.store.claimBatch(
                    owner: "one", leaseUntil: .test(3_660), held: nil, now: .test(3_600)) == nil,
                "what is in hand is not known")
            _ = try await world.store.store(
                BatchReport(outcomes: first.outcomes, next: .goOn(leaseUntil: .test(3_660))), of: first,
                now: .test(3_600))
            let taken = try #require(try await world.claim("two", at: 3_600, held: []))
            #expect(taken.number == second.number, "another does not know what is in hand here")
            #expect(taken.generation > second.generation)
            #expect(try await world.claim("two", at: 3_601) == nil)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `a lease that ran out is taken over and the former sender can store nothing`(
        kind: StoreUnderTest
    ) async throws {
        try await PushWorld.with(kind) { world in
            for number in 1...4 { try await world.install(number) }
            let push = try await world.push()
            try await world.plan()
            let first = try #require(try await world.claim("one"))
            var outcomes = first.outcomes
            outcomes[0] = .accepted
            outcomes[2] = DeviceOutcome(refusedFor: Reason("BadDeviceToken"))
            _ = try await world.store.store(
                BatchReport(outcomes: outcomes, next: .goOn(leaseUntil: .test(90))), of: first, now: .test(30)
            )
            #expect(try await world.claim("two", at: 89) == nil, "the report extended the lease")
            #expect(try await world.store.nextBatchTime(held: []) == .test(90))
            let second = try #require(try await world.claim("two", at: 90))
            #expect(second.number == first.number && second.generation > first.generation)
            #expect(second.outcomes == outcomes && second.attemptCount == 1)
            for next: BatchReport.Next in [
                .goOn(leaseUntil: .test(999)), .finish, .giveBack, .stop("a reason"),
            ] {
                var report = BatchReport(
                    outcomes: Array(repeating: .unanswered, count: 4), next: next)
                report.deadTokens = [
                    .init(
                        installation: first.installations[1], deviceToken: PushWorld.token(2),
                        reason: "Unregistered", at: .test(99))
                ]
                let stale = report
                let error = await #expect(throws: StoreError.self) {
                    try await world.store.store(stale, of: first, now: .test(91))
                }
                #expect(error?.code == .leaseLost)
            }
            #expect(try await world.state(push) == .running, "a stale sender stops no push")
            #expect(try await world.store.count(world.app) == 4, "nor does it remove a row")
            try await world.finish(second, at: 91)
            let record = try await world.record(push)
            #expect(
                record?.outcomes == [.accepted: 3, DeviceOutcome(refusedFor: Reason("BadDeviceToken")): 1])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `a sender that ends hands back its batches and no others`(kind: StoreUnderTest) async throws {
        try await PushWorld.with(kind) { world in
            try await world.installMany(2_000)
            _ = try await world.push()
            try await world.plan()
            let mine = try #require(try await world.claim("mine"))
            let theirs = try #require(try await world.claim("theirs"))
            try await world.store.release(owner: "mine", now: .test(1))
            let again = try #require(try await world.claim("new", at: 1))
            #expect(again.number == mine.number && again.attemptCount == 0)
            #expect(try await world.claim("new", at: 1) == nil)
            try await world.finish(theirs)
            let error = await #expect(throws: StoreError.self) { try await world.finish(mine) }
            #expect(error?.code == .leaseLost)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `badges are raised once for a push whatever happens to its batch`(
        kind: StoreUnderTest
    ) async throws {
        let folder = try TemporaryFolder()
        let secret = StoreSecret.random()
        var store = try await kind.open(folder, secret)
        var world = PushWorld(store: store, app: try await store.makeApp())
        let fresh = try await world.install(1)
        let worn = try await world.install(2, ["badge": 7])
        let full = try await world.install(3, ["badge": .integer(Int64(Int32.max))])
        _ = try await world.push { $0.badgeIncrement = 1 }
        try await world.plan()
        let first = try #require(try await world.claim())
        #expect(first.badges == [1, 8, Int64(Int32.max)], "an icon shows no more than 32 bits")
        // The process is killed here.
        await store.close()
        store = try await kind.open(folder, secret)
        world = PushWorld(store: store, app: world.app)
        let second = try #require(try await world.claim(at: 60))
        #expect(second.number == first.number && second.badges == first.badges)
        var report = BatchReport(outcomes: second.outcomes, next: .finish)
        report.outcomes[0] = .accepted
        report.outcomes[2] = .accepted
        report.deferrals = [.init(notBefore: .test(100), positions: [1], attemptCount: 1)]
        _ = try await store.store(report, of: second, now: .test(61))
        let third = try #require(try await world.claim(at: 100))
        #expect(third.installations == [worn.number] && third.badges == [8])
        #expect(try await store.installation(objectID: fresh.objectID, app: world.app.number)?.badge == 1)
        #expect(try await store.installation(objectID: worn.objectID, app: world.app.number)?.badge == 8)
        #expect(
            try await store.installation(objectID: full.objectID, app: world.app.number)?.badge
                == Int64(Int32.max))
        await store.close()
    }

    // MARK: Pause, resume, cancel

    @Test(arguments: StoreUnderTest.allCases)
    func `pausing holds a push and resuming frees it`(kind: StoreUnderTest) async throws {
        try await PushWorld.with(kind) { world in
            try await world.installMany(3_000)
            let push = try await world.push()
            try await world.plan()
            let held = try #require(try await world.claim())
            #expect(try await world.set(.paused, push)?.state == .paused)
            #expect(try await world.claim() == nil)
            #expect(
                try await world.store.store(
                    BatchReport(
                        outcomes: held.outcomes.indices.map { $0 < 10 ? .accepted : .pending },
                        next: .giveBack), of: held, now: .test(1)) == .paused)
            #expect(try await world.claim(at: 500) == nil)
            #expect(try await world.record(push)?.status == "in-queue")
            #expect(try await world.set(.running, push, at: 2)?.state == .running)
            #expect(try await world.sendAll(at: .test(3)).count == 3_000)
            try await world.plan(at: 3)
            #expect(try await world.record(push)?.outcomes == [.accepted: 3_000])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `a paused push that has parts to plan wakes nobody`(kind: StoreUnderTest) async throws {
        try await PushWorld.with(kind) { world in
            try await world.install(1, ["timeZone": "Asia/Tokyo"])
            let push = try await world.push {
                $0.time = .local(CivilDateTime(CivilDate(daysSince1970: 20_788)))
            }
            let first = try #require(push.dueAt as Instant?)
            try await world.plan(at: first)
            #expect(
                try await world.store.setState(
                    .paused, push: push.objectID, app: world.app.number, now: first) != nil)
            let next = try await world.store.advance(now: first.advanced(bySeconds: 86_400)).next
            #expect(next == nil)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `a push paused before its time waits and goes back to its schedule`(
        kind: StoreUnderTest
    ) async throws {
        try await PushWorld.with(kind) { world in
            try await world.install(1)
            let push = try await world.push { $0.time = .at(.test(100)) }
            #expect(push.state == .scheduled && push.dueAt == .test(100))
            _ = try await world.set(.paused, push)
            try await world.plan(at: 200)
            #expect(try await world.state(push) == .paused)
            #expect(try await world.set(.running, push, at: 200)?.state == .scheduled)
            try await world.plan(at: 201)
            #expect(try await world.sendAll(at: .test(201)).count == 1)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `a fault of the set-up pauses with its reason and mending it reaches the rest`(
        kind: StoreUnderTest
    ) async throws {
        try await PushWorld.with(kind) { world in
            try await world.installMany(2_000)
            let push = try await world.push()
            try await world.plan()
            let batch = try #require(try await world.claim())
            var outcomes = batch.outcomes
            outcomes[5] = .accepted
            #expect(
                try await world.store.store(
                    BatchReport(outcomes: outcomes, next: .stop("TopicDisallowed")), of: batch, now: .test(1))
                    == .paused)
            let stopped = try await world.store.push(objectID: push.objectID, app: world.app.number)
            #expect(stopped?.state == .paused && stopped?.error == "TopicDisallowed")
            #expect(try await world.record(push)?.errors == "TopicDisallowed")
            #expect(try await world.claim(at: 400) == nil)
            #expect(try await world.set(.running, push, at: 401)?.error == nil)
            #expect(try await world.sendAll(at: .test(402)).count == 2_000)
            try await world.plan(at: 402)
            #expect(try await world.record(push)?.outcomes == [.accepted: 2_000])
            #expect(try await world.state(push) == .done)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `a push that nobody mends for a day is cancelled with an outcome for every device`(
        kind: StoreUnderTest
    ) async throws {
        try await PushWorld.with(kind) { world in
            try await world.install(1)
            let push = try await world.push()
            try await world.plan()
            let batch = try #require(try await world.claim())
            _ = try await world.store.store(
                BatchReport(outcomes: batch.outcomes, next: .stop("why")), of: batch, now: .test())
            let next = try await world.store.advance(now: .test(1)).next
            #expect(next == .test(86_400))
            let ended = try await world.store.advance(now: .test(86_400)).ended
            #expect(ended.map(\.objectID) == [push.objectID] && ended.map(\.state) == [.cancelled])
            #expect(try await world.record(push)?.outcomes == [.cancelled: 1])
            #expect(try await world.record(push)?.errors == "why")
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `a fault that is found after a push was cancelled leaves no device without an outcome`(
        kind: StoreUnderTest
    ) async throws {
        try await PushWorld.with(kind) { world in
            for number in 1...2 { try await world.install(number) }
            let push = try await world.push()
            try await world.plan()
            let batch = try #require(try await world.claim())
            #expect(try await world.set(.cancelled, push, at: 1)?.state == .cancelled)
            var outcomes = batch.outcomes
            outcomes[0] = .accepted
            #expect(
                try await world.store.store(
                    BatchReport(outcomes: outcomes, next: .stop("InvalidProviderToken")), of: batch,
                    now: .test(2)) == .cancelled)
            // Whoever claims it next ends what is left.
            let rest = try #require(try await world.claim(at: 3))
            #expect(rest.push.state == .cancelled && rest.outcomes == [.accepted, .pending])
            try await world.finish(rest, as: .cancelled, at: 3)
            #expect(try await world.record(push)?.outcomes == [.accepted: 1, .cancelled: 1])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `cancelling gives every device that was not sent to its outcome`(kind: StoreUnderTest) async throws {
        try await PushWorld.with(kind) { world in
            try await world.installMany(3_000)
            let push = try await world.push()
            try await world.plan()
            let sent = try #require(try await world.claim())
            try await world.finish(sent)
            let held = try #require(try await world.claim())
            #expect(try await world.set(.cancelled, push, at: 1)?.state == .cancelled)
            // The sender learns of it with its next report.
            var outcomes = held.outcomes
            outcomes[0] = .accepted
            let answer = try await world.store.store(
                BatchReport(outcomes: outcomes, next: .goOn(leaseUntil: .test(60))), of: held, now: .test(2))
            #expect(answer == .cancelled)
            let ended = outcomes.map { $0 == .pending ? DeviceOutcome.cancelled : $0 }
            _ = try await world.store.store(
                BatchReport(outcomes: ended, next: .finish), of: held, now: .test(3))
            #expect(try await world.claim(at: 999) == nil)
            #expect(try await world.record(push)?.outcomes == [.accepted: 1_001, .cancelled: 1_999])
            #expect(try await world.set(.running, push)?.state == .cancelled, "what has ended stays so")
            let error = await #expect(throws: StoreError.self) {
                _ = try await world.set(.done, try await world.push())
            }
            #expect(error?.code == .invalid)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `a batch in the hands of a dead sender ends too when its push is cancelled`(
        kind: StoreUnderTest
    ) async throws {
        try await PushWorld.with(kind) { world in
            try await world.install(1)
            let push = try await world.push()
            try await world.plan()
            _ = try #require(try await world.claim())
            _ = try await world.set(.cancelled, push, at: 1)
            let taken = try #require(try await world.claim(at: 60))
            #expect(taken.push.state == .cancelled)
            try await world.finish(taken, as: .cancelled, at: 60)
            #expect(try await world.record(push)?.outcomes == [.cancelled: 1])
        }
    }

    // MARK: Pacing

    @Test(arguments: StoreUnderTest.allCases)
    func `a paced push is spread evenly over time`(kind: StoreUnderTest) async throws {
        try await PushWorld.with(kind) { world in
            try await world.installMany(1_000)
            _ = try await world.push { $0.devicesPerSecondMax = 100 }
            try await world.plan()
            var sent: [Int] = []
            for second in 0..<12 {
                sent.append(try await world.sendAll(at: .test(Int64(second))).count)
            }
            #expect(sent.reduce(0, +) == 1_000)
            #expect(sent[0] == 25, "a quarter of a second's worth is ready at once")
            for second in 1...9 { #expect(sent[second] == 100) }
            #expect(try await world.store.nextBatchTime(held: []) == nil)
        }
    }
}
