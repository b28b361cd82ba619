import APNs
import PushStore
import Recurrence
import Testing

struct StoreConformanceConsoleTests {
    private func user(_ name: String, _ role: ConsoleUser.Role = .viewer) -> ConsoleUser {
        ConsoleUser(name: name, role: role, passwordHash: "hash of \(name)", createdAt: .test(1))
    }

    private func session(
        _ byte: UInt8, _ user: String, at seconds: Int64 = 0, until end: Int64 = 60
    ) -> ConsoleSession {
        ConsoleSession(
            digest: [UInt8](repeating: byte, count: 32), user: user, createdAt: .test(seconds),
            expiresAt: .test(end))
    }

    // MARK: Users

    @Test(arguments: StoreUnderTest.allCases)
    func `users are kept by name`(kind: StoreUnderTest) async throws {
        try await kind.with { store in
            #expect(try await store.consoleUsers() == [])
            try await store.addConsoleUser(user("mei", .owner), onlyFirst: true)
            try await store.addConsoleUser(user("李雷"), onlyFirst: false)
            #expect(try await store.consoleUsers() == [user("mei", .owner), user("李雷")])
            #expect(try await store.consoleUser(name: "mei") == user("mei", .owner))
            #expect(try await store.consoleUser(name: "MEI") == nil)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `a name is taken once, and the first user is made once`(kind: StoreUnderTest) async throws {
        try await kind.with { store in
            try await store.addConsoleUser(user("mei", .owner), onlyFirst: true)
            for (name, onlyFirst) in [("mei", false), ("mei", true), ("lin", true)] {
                let error = await #expect(throws: StoreError.self) {
                    try await store.addConsoleUser(user(name), onlyFirst: onlyFirst)
                }
                #expect(error?.code == .conflict)
            }
            #expect(try await store.consoleUsers().count == 1)
        }
    }

    @Test(
        arguments: StoreUnderTest.allCases,
        ["", "a b", "a\n", "\u{7f}", String(repeating: "a", count: 65)])
    func `what cannot be a name is refused`(kind: StoreUnderTest, name: String) async throws {
        try await kind.with { store in
            let error = await #expect(throws: StoreError.self) {
                try await store.addConsoleUser(user(name), onlyFirst: false)
            }
            #expect(error?.code == .invalid)
            let users = try await store.consoleUsers()
            #expect(users == [])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `the last owner stays one`(kind: StoreUnderTest) async throws {
        try await kind.with { store in
            try await store.addConsoleUser(user("mei", .owner), onlyFirst: true)
            try await store.addConsoleUser(user("lin", .sender), onlyFirst: false)
            let gone = await #expect(throws: StoreError.self) {
                try await store.removeConsoleUser(name: "mei")
            }
            #expect(gone?.code == .invalid)
            let demoted = await #expect(throws: StoreError.self) {
                try await store.updateConsoleUser(user("mei", .viewer))
            }
            #expect(demoted?.code == .invalid)
            #expect(try await store.consoleUser(name: "mei")?.role == .owner)
            try await store.updateConsoleUser(user("lin", .owner))
            #expect(try await store.removeConsoleUser(name: "mei"))
            #expect(try await !store.removeConsoleUser(name: "mei"))
            #expect(try await store.consoleUsers() == [user("lin", .owner)])
            let unknown = await #expect(throws: StoreError.self) {
                try await store.updateConsoleUser(user("nobody"))
            }
            #expect(unknown?.code == .notFound)
        }
    }

    // MARK: Sessions

    @Test(arguments: StoreUnderTest.allCases)
    func `a session is found until its end`(kind: StoreUnderTest) async throws {
        try await kind.with { store in
            try await store.addConsoleUser(user("mei", .owner), onlyFirst: true)
            let session = session(1, "mei", at: 5)
            try await store.addConsoleSession(session)
            let found = try #require(try await store.consoleSession(digest: session.digest, now: .test(59)))
            #expect(found.session == session)
            #expect(found.user.name == "mei")
            #expect(found.user.signedInAt == .test(5))
            #expect(try await store.consoleSession(digest: session.digest, now: .test(60)) == nil)
            #expect(try await store.consoleSession(digest: [1], now: .test(6)) == nil)
            try await store.removeConsoleSession(digest: session.digest)
            #expect(try await store.consoleSession(digest: session.digest, now: .test(6)) == nil)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `sessions end with their user's password and with the user`(kind: StoreUnderTest) async throws {
        try await kind.with { store in
            try await store.addConsoleUser(user("mei", .owner), onlyFirst: true)
            try await store.addConsoleUser(user("lin"), onlyFirst: false)
            for (byte, name) in [(UInt8(1), "mei"), (2, "lin")] {
                try await store.addConsoleSession(session(byte, name))
            }
            var changed = user("lin")
            changed.passwordHash = "another"
            try await store.updateConsoleUser(changed)
            #expect(try await store.consoleSession(digest: session(2, "").digest, now: .test(1)) == nil)
            #expect(try await store.consoleSession(digest: session(1, "").digest, now: .test(1)) != nil)
            try await store.addConsoleSession(session(3, "lin"))
            #expect(try await store.removeConsoleUser(name: "lin"))
            #expect(try await store.consoleSession(digest: session(3, "").digest, now: .test(1)) == nil)
            let error = await #expect(throws: StoreError.self) {
                try await store.addConsoleSession(session(4, "lin"))
            }
            #expect(error?.code == .notFound)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `a new session clears away those that have ended`(kind: StoreUnderTest) async throws {
        try await kind.with { store in
            try await store.addConsoleUser(user("mei", .owner), onlyFirst: true)
            try await store.addConsoleSession(session(1, "mei", until: 10))
            try await store.addConsoleSession(session(2, "mei", at: 10, until: 99))
            // A clock that goes back finds the first one no more.
            #expect(try await store.consoleSession(digest: session(1, "").digest, now: .test(5)) == nil)
            #expect(try await store.consoleSession(digest: session(2, "").digest, now: .test(11)) != nil)
        }
    }

    // MARK: Views

    @Test(arguments: StoreUnderTest.allCases)
    func `the newest installations of an app come first`(kind: StoreUnderTest) async throws {
        try await PushWorld.with(kind) { world in
            let other = try await world.store.makeApp("other", topic: "com.example.other")
            var ids: [String] = []
            for number in 1...4 { ids.append(try await world.install(number, at: Int64(number)).objectID) }
            try await world.install(9, app: other, at: 9)
            let rows = try await world.store.newestInstallations(limit: 3, app: world.app.number)
            #expect(rows.map(\.objectID) == [ids[3], ids[2], ids[1]])
            #expect(rows.first?.deviceToken == PushWorld.token(4))
            #expect(try await world.store.newestInstallations(limit: 0, app: world.app.number) == [])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `pushes come newest first, page by page, of one app`(kind: StoreUnderTest) async throws {
        try await PushWorld.with(kind) { world in
            let other = try await world.store.makeApp("other", topic: "com.example.other")
            var made: [String] = []
            for index in 0..<5 {
                made.append(try await world.push(at: Int64(index)).objectID)
                _ = try await world.push(at: Int64(index), app: other)
            }
            let first = try await world.store.pushes(before: nil, limit: 2, app: world.app.number)
            #expect(first.map(\.objectID) == [made[4], made[3]])
            let rest = try await world.store.pushes(before: first[1].number, limit: 10, app: world.app.number)
            #expect(rest.map(\.objectID) == [made[2], made[1], made[0]])
            #expect(
                try await world.store.pushes(before: rest[2].number, limit: 10, app: world.app.number) == [])
            #expect(try await world.store.pushes(before: nil, limit: 0, app: world.app.number) == [])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `outcomes and openings are counted in the span they fell in`(kind: StoreUnderTest) async throws {
        try await PushWorld.with(kind) { world in
            for number in 1...3 { try await world.install(number) }
            // Two devices accepted in the first span, one refused; all three accepted in the third.
            let push = try await world.push()
            try await world.plan()
            let batch = try #require(try await world.claim())
            var answering = DurationHistogram()
            answering.add(microseconds: 50_000, times: 3)
            var report = BatchReport(
                outcomes: [.accepted, .accepted, DeviceOutcome(refusedFor: Reason("Unregistered"))],
                next: .finish)
            report.answering = answering
            _ = try await world.store.store(report, of: batch, now: .test(5))
            _ = try await world.push(at: 100)
            try await world.plan(at: 100)
            let second = try #require(try await world.claim(at: 100))
            try await world.finish(second, at: 125)
            for (index, at) in [(1, Int64(7)), (2, 105), (3, 105)] {
                _ = try await world.store.countOpen(
                    record: push.recordID, installation: "row\(index)", app: world.app.number, now: .test(at))
            }
            let slices = try await world.store.deliverySlices(
                from: .test(0), to: .test(200), stepSeconds: 60, app: world.app.number)
            #expect(slices.map(\.start) == [.test(0), .test(60), .test(120)])
            #expect(
                slices[0].outcomes == [.accepted: 2, DeviceOutcome(refusedFor: Reason("Unregistered")): 1])
            #expect(slices[0].openCount == 1)
            #expect(slices[0].answering == answering)
            #expect(slices[1].outcomes == [:])
            #expect(slices[1].openCount == 2)
            #expect(slices[2].outcomes.values.reduce(0, +) == second.installations.count)
            // The end is left out, the start is not.
            let exact = try await world.store.deliverySlices(
                from: .test(5), to: .test(125), stepSeconds: 1000, app: world.app.number)
            #expect(exact.count == 1)
            #expect(exact.first?.outcomes.values.reduce(0, +) == 3)
            #expect(exact.first?.openCount == 3)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func `what another app sent is not counted, nor what was only handed on`(
        kind: StoreUnderTest
    ) async throws {
        try await PushWorld.with(kind) { world in
            let other = try await world.store.makeApp("other", topic: "com.example.other")
            try await world.install(1, app: other)
            _ = try await world.push(app: other)
            try await world.plan()
            _ = try await world.sendAll(at: .test(1))
            #expect(
                try await world.store.deliverySlices(
                    from: .test(-10), to: .test(10), stepSeconds: 60, app: world.app.number) == [])
            let error = await #expect(throws: StoreError.self) {
                try await world.store.deliverySlices(
                    from: .test(0), to: .test(1), stepSeconds: 0, app: world.app.number)
            }
            #expect(error?.code == .invalid)
        }
    }
}
