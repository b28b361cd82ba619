import Foundation
import Testing

@testable import UserNotifications

@Suite(.timeLimit(.minutes(5))) struct AttachmentTests {
    private static let png: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d]

    /// A file in a directory of its own.
    private static func file(_ name: String, _ bytes: [UInt8], size: Int? = nil) throws -> URL {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let url = directory.appendingPathComponent(name)
        try Data(bytes).write(to: url)
        if let size {
            let handle = try FileHandle(forWritingTo: url)
            try handle.truncate(atOffset: UInt64(size))
            try handle.close()
        }
        return url
    }

    @Test func `files are checked when an attachment is made`() throws {
        func code(_ url: URL, _ options: [AnyHashable: Any]? = nil) -> UNError.Code? {
            do {
                _ = try UNNotificationAttachment(identifier: "", url: url, options: options)
                return nil
            } catch {
                return (error as? UNError)?.code
            }
        }
        #expect(code(try Self.file("a.png", Self.png)) == nil)
        #expect(code(try #require(URL(string: "https://example.com/a.png"))) == .attachmentInvalidURL)
        #expect(code(URL(fileURLWithPath: "/nonexistent/a.png")) == .attachmentInvalidURL)
        #expect(
            code(FileManager.default.temporaryDirectory.appendingPathComponent("x.png"))
                == .attachmentInvalidURL)
        #expect(code(try Self.file("a.txt", Self.png)) == .attachmentUnrecognizedType)
        #expect(code(try Self.file("noextension", Self.png)) == .attachmentUnrecognizedType)
        let hint = [UNNotificationAttachmentOptionsTypeHintKey: "public.png"]
        #expect(code(try Self.file("noextension", Self.png), hint) == nil)
        #expect(code(try Self.file("a.jpg", Self.png)) == .attachmentCorrupt)
        #expect(code(try Self.file("a.png", [])) == .attachmentInvalidFileSize)
        #expect(code(try Self.file("a.png", Self.png, size: 10 << 20)) == nil)
        #expect(code(try Self.file("a.png", Self.png, size: (10 << 20) + 1)) == .attachmentInvalidFileSize)
        let wav = Array("RIFF....WAVE".utf8)
        #expect(code(try Self.file("a.wav", wav, size: 5 << 20)) == nil)
        #expect(code(try Self.file("a.wav", wav, size: (5 << 20) + 1)) == .attachmentInvalidFileSize)
        let film = [0, 0, 0, 0x18] + Array("ftypmp42".utf8)
        #expect(code(try Self.file("a.mp4", film, size: 50 << 20)) == nil)
        #expect(code(try Self.file("a.mp4", film, size: (50 << 20) + 1)) == .attachmentInvalidFileSize)
    }

    @Test func `a file moves into the store with its request and goes with its notification`() async throws {
        let device = try await Device.allowed()
        let source = try Self.file("a.png", Self.png)
        let made = content()
        made.attachments = [try UNNotificationAttachment(identifier: "p", url: source)]
        try await device.center.add(request("a", daily(9, repeats: false), content: made))
        #expect(!FileManager.default.fileExists(atPath: source.path))
        let pending = try #require(await device.center.pendingNotificationRequests().first)
        let stored = try #require(pending.content.attachments.first)
        #expect(stored.identifier == "p" && stored.type == "public.png")
        #expect(FileManager.default.contents(atPath: stored.url.path) == Data(Self.png))
        await device.advance(days: 1)
        #expect(FileManager.default.fileExists(atPath: stored.url.path))
        device.center.removeAllDeliveredNotifications()
        await device.settle()
        #expect(!FileManager.default.fileExists(atPath: stored.url.path))
    }

    @Test func `a picture that a service extension adds moves into the store; a bad one leaves the text`()
        async throws
    {
        let device = try await Device.allowed()
        for (name, bytes, count) in [("good.png", Self.png, 1), ("bad.png", Array("text".utf8), 0)] {
            let source = try Self.file(name, bytes)
            var remote = try RequestRecord(remote: Array(#"{"aps":{"alert":"T"}}"#.utf8), identifier: name)
            remote.content.attachments = [
                AttachmentRecord(identifier: "p", path: source.path, type: "public.png")
            ]
            device.center.service.receive(remote)
            await device.settle()
            let shown = try #require(device.host.shown.last?.notification.request.content)
            #expect(shown.body == "T" && shown.attachments.count == count)
            if let stored = shown.attachments.first {
                #expect(stored.url.path.hasPrefix(device.host.attachmentDirectory.path))
                #expect(!FileManager.default.fileExists(atPath: source.path))
            }
        }
        #expect(device.host.diagnoses.count == 1)
        #expect(device.host.diagnoses.first?.contains("bad.png") == true)
    }

    @Test func `a bad file keeps its request from being scheduled`() async throws {
        let device = try await Device.allowed()
        let source = try Self.file("a.png", Self.png)
        let made = content()
        made.attachments = [try UNNotificationAttachment(identifier: "p", url: source)]
        try FileManager.default.removeItem(at: source)
        await #expect(throws: UNError.self) {
            try await device.center.add(request("a", daily(9), content: made))
        }
        #expect(await device.pendingIdentifiers() == [])
    }
}
