import Foundation
import Synchronization
import Testing

@testable import UserNotifications

/// As Apple's documentation describes one: keeps the handler and its best attempt, and gives it when time is over.
private final class DecryptingExtension: UNNotificationServiceExtension, @unchecked Sendable {
    enum Behavior: Sendable { case answers, answersLate, never, empty, twice }

    var contentHandler: ((UNNotificationContent) -> Void)?
    var bestAttemptContent: UNMutableNotificationContent?
    let behavior: Behavior

    init(_ behavior: Behavior) { self.behavior = behavior }

    override func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        self.contentHandler = contentHandler
        bestAttemptContent = (request.content.mutableCopy() as? UNMutableNotificationContent)
        guard let bestAttemptContent else { return }
        bestAttemptContent.title = "\(bestAttemptContent.title) [modified]"
        switch behavior {
        case .answers: contentHandler(bestAttemptContent)
        case .twice:
            contentHandler(bestAttemptContent)
            bestAttemptContent.title = "again"
            contentHandler(bestAttemptContent)
        case .empty: contentHandler(UNNotificationContent())
        case .answersLate, .never: break
        }
    }

    override func serviceExtensionTimeWillExpire() {
        guard behavior == .answersLate, let contentHandler, let bestAttemptContent else { return }
        bestAttemptContent.subtitle = "in time"
        contentHandler(bestAttemptContent)
    }
}

@Suite struct ServiceExtensionTests {
    private static func outcomes(
        _ behavior: DecryptingExtension.Behavior, expires: Bool = true, mayFilter: Bool = false
    ) throws -> [String] {
        let json = Array(#"{"aps":{"alert":{"title":"T","body":"B"},"mutable-content":1},"k":null}"#.utf8)
        let request = try RequestRecord(remote: json, identifier: "id")
        let found = Mutex<[String]>([])
        let run = ServiceExtensionRun(
            DecryptingExtension(behavior), request: request, mayFilter: mayFilter
        ) { outcome in
            found.withLock {
                switch outcome {
                case .show(let content): $0.append(content.title.text + "/" + content.subtitle.text)
                case .suppress: $0.append("suppressed")
                }
            }
        }
        run.start()
        if expires { run.expire() }
        return found.withLock { $0 }
    }

    @Test func `the content that an extension gives is shown, once`() throws {
        #expect(try Self.outcomes(.answers) == ["T [modified]/"])
        #expect(try Self.outcomes(.twice) == ["T [modified]/"])
    }

    @Test func `at the end of its time an extension has a last chance, then the original is shown`() throws {
        #expect(try Self.outcomes(.answersLate, expires: false) == [])
        #expect(try Self.outcomes(.answersLate) == ["T [modified]/in time"])
        #expect(try Self.outcomes(.never) == ["T/"])
    }

    @Test func `a content without text is the original, or nothing for an app that may filter`() throws {
        #expect(try Self.outcomes(.empty) == ["T/"])
        #expect(try Self.outcomes(.empty, mayFilter: true) == ["suppressed"])
    }

    @Test func `an extension runs for mutable alerts only, of apps that may show them`() {
        var settings = SettingsRecord()
        settings.alert = SettingsRecord.enabled
        var content = ContentRecord()
        content.sound = SoundRecord(.notification)
        #expect(!ServiceExtensionMachine.runs(for: content, isMutable: true, settings: settings))
        content.body = "text"
        #expect(ServiceExtensionMachine.runs(for: content, isMutable: true, settings: settings))
        #expect(!ServiceExtensionMachine.runs(for: content, isMutable: false, settings: settings))
        #expect(!ServiceExtensionMachine.runs(for: content, isMutable: true, settings: SettingsRecord()))
    }

    @Test func `a remote notification has its whole payload and the system's trigger`() throws {
        let json = Array(
            #"""
            {"aps":{"alert":{"loc-key":"K","loc-args":["x"],"title":"T"},"badge":2,"sound":{"critical":1,
            "name":"default","volume":0.5},"thread-id":"t","category":"c","interruption-level":"time-sensitive",
            "relevance-score":0.25,"target-content-id":"w","filter-criteria":"f"},"order":{"id":42},"none":null}
            """#.utf8)
        let request = UNNotificationRequest(record: try RequestRecord(remote: json, identifier: "collapse"))
        #expect(request.identifier == "collapse" && request.trigger is UNPushNotificationTrigger)
        let content = request.content
        #expect(content.title == "T" && content.body == "K")
        #expect(content.badge == 2 && content.threadIdentifier == "t" && content.categoryIdentifier == "c")
        #expect(content.sound == .defaultCriticalSound(withAudioVolume: 0.5))
        #expect(content.interruptionLevel == .timeSensitive && content.relevanceScore == 0.25)
        #expect(content.targetContentIdentifier == "w" && content.filterCriteria == "f")
        #expect((content.userInfo["order"] as? [String: Any])?["id"] as? Int == 42)
        #expect(content.userInfo["none"] is NSNull)
        #expect((content.userInfo["aps"] as? [String: Any])?["badge"] as? Int == 2)
    }
}
