import Recurrence
import Testing

@testable import UserNotifications

@Suite struct DesktopMappingTests {
    private static let everything: Set<String> = [
        "body", "body-markup", "actions", "sound", "inline-reply",
    ]

    private static func message(
        capabilities: Set<String> = everything, presentation: NotificationPresentation? = nil,
        category: CategoryRecord? = nil, _ change: (inout ContentRecord) -> Void
    ) -> DesktopNotification {
        var content = ContentRecord()
        content.title = "Title"
        change(&content)
        var shown = NotificationPresentation()
        shown.showsBanner = true
        shown.isListed = true
        shown.playsSound = content.sound != nil
        return DesktopNotification(
            NotificationRecord(
                request: RequestRecord(identifier: "a", content: content),
                date: Instant(secondsSince1970: 0)),
            category: category, presentation: presentation ?? shown, appName: "App", desktopEntry: "app",
            capabilities: capabilities, localized: { _ in nil })
    }

    @Test func `title, subtitle and body become summary and lines, escaped where marks count`() {
        let full = Self.message {
            $0.subtitle = "sub <1>"
            $0.body = "a & b"
        }
        #expect(full.summary == "Title")
        #expect(full.body == "sub &lt;1&gt;\na &amp; b")
        let plain = Self.message(capabilities: ["body"]) { $0.body = "a & b" }
        #expect(plain.body == "a & b")
        let summaryOnly = Self.message(capabilities: []) { $0.body = "a & b" }
        #expect(summaryOnly.body == "")
        let bodyOnly = Self.message {
            $0.title = ""
            $0.body = "text"
        }
        #expect(bodyOnly.summary == "text" && bodyOnly.body == "")
        #expect(Self.message { $0.title = "" }.summary == "App")
    }

    @Test func `levels become urgencies, and critical ones do not go by themselves`() {
        let messages = (0...3).map { level in Self.message { $0.interruptionLevel = level } }
        #expect(messages.map { $0.hints["urgency"] } == [.byte(0), .byte(1), .byte(1), .byte(2)])
        #expect(messages.map(\.expireTimeoutMilliseconds) == [-1, -1, -1, 0])
    }

    @Test func `sounds, pictures and banners become hints`() {
        #expect(Self.message { _ in }.hints["suppress-sound"] == .boolean(true))
        let sounding = Self.message { $0.sound = SoundRecord(.notification) }
        #expect(sounding.hints["sound-name"] == .text("message-new-instant"))
        var named = NotificationPresentation()
        (named.showsBanner, named.playsSound, named.soundPath) = (true, true, "/s/x.wav")
        let played = Self.message(presentation: named) {
            $0.sound = SoundRecord(.notification, name: "x.wav")
        }
        #expect(played.hints["sound-file"] == .text("/s/x.wav") && played.hints["sound-name"] == nil)
        #expect(
            Self.message(capabilities: []) { $0.sound = SoundRecord(.notification) }.hints["sound-name"]
                == nil)
        let picture = Self.message {
            $0.attachments = [AttachmentRecord(identifier: "p", path: "/tmp/a b%ü.png", type: "public.png")]
        }
        #expect(picture.hints["image-path"] == .text("file:///tmp/a%20b%25%C3%BC.png"))
        var transient = NotificationPresentation()
        transient.showsBanner = true
        #expect(Self.message(presentation: transient) { _ in }.hints["transient"] == .boolean(true))
        #expect(
            Self.message { $0.categoryIdentifier = "im.received" }.hints["category"] == .text("im.received"))
        #expect(Self.message { $0.categoryIdentifier = "MY_CATEGORY" }.hints["category"] == nil)
    }

    private static let category = CategoryRecord(
        identifier: "c",
        actions: ["one", "two", "reply", "four"].map {
            ActionRecord(
                identifier: $0, title: TextRecord($0), options: 0,
                textInput: $0 == "reply" ? .init(buttonTitle: "Send", placeholder: "") : nil)
        }, intentIdentifiers: [], hiddenPreviewsBodyPlaceholder: "", categorySummaryFormat: "", options: 1)

    @Test func `the first three actions become buttons, a reply only where it can be typed`() {
        func keys(_ capabilities: Set<String>) -> [String] {
            Self.message(capabilities: capabilities, category: Self.category) { _ in }.actions.map(\.key)
        }
        #expect(keys(Self.everything) == ["default", "one", "two", "inline-reply"])
        #expect(keys(["actions"]) == ["default", "one", "two"])
        #expect(keys([]) == [])
    }

    @Test func `signals of the service become what the user did, once`() {
        var ledger = DesktopLedger()
        ledger.shown("a", number: 7, category: Self.category)
        #expect(ledger.replaced(by: "a") == 7 && ledger.replaced(by: "b") == 0)
        #expect(ledger.invoked(number: 9, key: "default") == nil)
        #expect(ledger.invoked(number: 7, key: "default") == .tap("a"))
        // The service closes what was acted on; that is no dismissal.
        #expect(ledger.closed(number: 7, reason: 2) == nil)

        ledger.shown("a", number: 8, category: Self.category)
        #expect(ledger.closed(number: 8, reason: 1) == nil)
        #expect(ledger.replaced(by: "a") == 8)
        #expect(ledger.closed(number: 8, reason: 2) == .dismiss("a"))
        ledger.shown("a", number: 9, category: Self.category)
        #expect(ledger.closed(number: 9, reason: 3) == nil)
        #expect(ledger.replaced(by: "a") == 0)

        ledger.shown("a", number: 10, category: Self.category)
        #expect(
            ledger.invoked(number: 10, key: "inline-reply", text: "hi")
                == .act("a", action: "reply", text: "hi"))
        ledger.shown("a", number: 11, category: nil)
        ledger.serviceRestarted()
        #expect(ledger.invoked(number: 11, key: "default") == nil)
        #expect(ledger.forget("a") == nil)
    }

    @Test func `the ledger forgets the oldest when it is full`() {
        var ledger = DesktopLedger()
        for number in 1...UInt32(DesktopLedger.entryCountMax + 1) {
            ledger.shown("\(number)", number: number, category: nil)
        }
        #expect(ledger.replaced(by: "1") == 0)
        #expect(ledger.replaced(by: "2") == 2)
    }
}
