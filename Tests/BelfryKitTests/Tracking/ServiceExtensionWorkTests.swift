import APNs
import BelfryKit
import Foundation
import Recurrence
import Testing
import UserNotifications

@Suite(.timeLimit(.minutes(5))) struct ServiceExtensionWorkTests {
    /// An extension as an app writes it.
    private final class Extension: UNNotificationServiceExtension, @unchecked Sendable {
        // Set once, before use.
        let work: ServiceExtensionWork

        init(_ work: ServiceExtensionWork) {
            self.work = work
        }

        override func didReceive(
            _ request: UNNotificationRequest,
            withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
        ) {
            work.receive(request, contentHandler) { $0.title = "Paid" }
        }

        override func serviceExtensionTimeWillExpire() { work.expire() }
    }

    private static let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
        UUID().uuidString)

    private func run(
        _ work: ServiceExtensionWork, expiring: Bool = false
    ) async throws -> ContentRecord? {
        let request = try RequestRecord(
            remote: Array(#"{"aps":{"alert":"x","mutable-content":1},"amount":"7"}"#.utf8),
            identifier: "AAAAbbbbCCCC0001")
        let outcome = await withCheckedContinuation { continuation in
            let run = ServiceExtensionRun(Extension(work), request: request) {
                continuation.resume(returning: $0)
            }
            run.start()
            if expiring { run.expire() }
        }
        guard case .show(let content) = outcome else { return nil }
        return content
    }

    @Test func `a payment speaks, and its arrival is told`() async throws {
        try FileManager.default.createDirectory(at: Self.folder, withIntermediateDirectories: true)
        let format = SoundFormat(coding: .muLaw, samplesPerSecond: 8_000, channelCount: 1, bitsPerSample: 8)
        for name in ["received", "seven"] {
            let sound = RecordedSound(format: format, samples: [1, 2, 3])
            try Data(sound.wavFile).write(to: Self.folder.appendingPathComponent(name + ".wav"))
        }
        let shared = MemoryStorage()
        let app = TestApp(sharedStorage: shared)
        await app.launch()
        let work = ServiceExtensionWork(
            receipts: DeliveryReceipts(
                service: TestApp.address, sharedStorage: shared, transport: app.service, time: app.device),
            sounds: SpokenSounds(pieces: [Self.folder], output: Self.folder.appendingPathComponent("out")),
            time: app.device
        ) { push in
            push.payload["amount"]?.text.map { [.piece("received"), .amount($0, .english)] }
        }
        let content = try #require(try await run(work))
        #expect(content.title.text == "Paid")
        #expect(content.sound?.name?.hasPrefix("belfry-spoken-") == true)
        #expect(app.service.calls.last?.path.hasSuffix("/1.1/events") == true)
    }

    @Test func `without its pieces a payment plays the default and says why`() async throws {
        let reported = Journal<BelfryKitError>()
        let work = ServiceExtensionWork(
            receipts: nil, sounds: SpokenSounds(pieces: [], output: Self.folder),
            report: { reported.add($0) }
        ) { _ in [.piece("nobody")] }
        let content = try #require(try await run(work))
        #expect(content.sound?.name == nil)
        #expect(content.sound != nil)
        #expect(reported.entries.map(\.code) == [.sound])
    }

    @Test func `a push service that does not answer keeps nothing from being shown`() async throws {
        let shared = MemoryStorage()
        let app = TestApp(sharedStorage: shared)
        await app.launch()
        app.service.hold()
        defer { app.service.release() }
        let receipts = DeliveryReceipts(
            service: TestApp.address, sharedStorage: shared, transport: app.service, time: app.device)
        let content = try #require(
            try await run(ServiceExtensionWork(receipts: receipts) { _ in nil }, expiring: true))
        #expect(content.title.text == "Paid")
        #expect(receipts.pendingCount == 1)
    }
}
