import Foundation
import Testing

@testable import UserNotifications

@Suite(.timeLimit(.minutes(5))) struct SoundTests {
    private static func big(_ value: UInt64, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }
    }

    private static func little(_ value: UInt64, _ count: Int) -> [UInt8] { big(value, count).reversed() }

    /// A wav of 8,000 bytes a second.
    static func wav(tag: UInt64 = 1, seconds: Double = 1, cut: Int = 0) -> [UInt8] {
        let count = Int(seconds * 8000)
        let format =
            little(tag, 2) + little(1, 2) + little(8000, 4) + little(8000, 4) + little(1, 2) + little(8, 2)
        let chunks =
            Array("LIST".utf8) + little(3, 4) + [1, 2, 3, 0] + Array("fmt ".utf8) + little(16, 4) + format
            + Array("data".utf8) + little(UInt64(count), 4)
        return Array("RIFF".utf8) + little(UInt64(chunks.count + count + 4), 4) + Array("WAVE".utf8) + chunks
            + [UInt8](repeating: 0, count: count - cut)
    }

    /// An aiff at 8,000 Hz, which as a number of 80 bits is 2^12 · 1.953125.
    static func aiff(format: String?, frames: UInt64) -> [UInt8] {
        let rate = big(0x400b, 2) + big(0xfa00_0000_0000_0000, 8)
        let common = big(1, 2) + big(frames, 4) + big(16, 2) + rate + Array((format ?? "").utf8)
        let chunk = Array("COMM".utf8) + big(UInt64(common.count), 4) + common
        return Array("FORM".utf8) + big(UInt64(chunk.count + 4), 4)
            + Array((format == nil ? "AIFF" : "AIFC").utf8) + chunk
    }

    static func caf(format: String, packets: UInt64, open: Bool = false) -> [UInt8] {
        let description =
            big(Double(8000).bitPattern, 8) + Array(format.utf8) + big(0, 4) + big(2, 4) + big(1, 4)
            + big(1, 4)
            + big(16, 4)
        let sound = [UInt8](repeating: 0, count: Int(packets) * 2)
        return Array("caff".utf8) + big(1, 2) + big(0, 2) + Array("desc".utf8) + big(32, 8) + description
            + Array("data".utf8) + (open ? big(.max, 8) : big(packets * 2 + 4, 8)) + big(0, 4) + sound
    }

    private final class Folder {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("sounds-" + UUID().uuidString)
        deinit { try? FileManager.default.removeItem(at: url) }

        func put(_ name: String, _ bytes: [UInt8]) throws {
            let file = url.appendingPathComponent(name)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(bytes).write(to: file)
        }
    }

    private static func found(_ name: String, _ bytes: [UInt8]) throws -> String {
        let folder = Folder()
        try folder.put(name, bytes)
        do throws(SoundFault) {
            return try SoundLibrary(directories: [folder.url]).path(of: name) == folder.url.path + "/" + name
                ? "plays" : "elsewhere"
        } catch {
            return "\(error)"
        }
    }

    @Test(
        arguments: [
            (wav(), "plays"), (wav(tag: 6), "plays"), (wav(tag: 7), "plays"), (wav(tag: 0x11), "plays"),
            (wav(seconds: 30), "plays"), (wav(seconds: 30.5), "lasts 30.5 s; allowed are 30 s"),
            // What is there counts, not what the header says.
            (wav(seconds: 40, cut: 160_000), "plays"),
            (wav(tag: 0x55), "is wav of format 85"),
            (aiff(format: nil, frames: 8000), "plays"), (aiff(format: "sowt", frames: 240_000), "plays"),
            (aiff(format: "ulaw", frames: 248_000), "lasts 31.0 s"),
            (aiff(format: "ima4", frames: 3750), "plays"),
            (aiff(format: "ima4", frames: 3800), "lasts 30.4 s"),
            (aiff(format: "Qclp", frames: 1), "is aiff of 'Qclp'"),
            (caf(format: "lpcm", packets: 8000), "plays"),
            (caf(format: "alaw", packets: 8000, open: true), "plays"),
            (caf(format: "lpcm", packets: 240_001), "lasts 30.0 s"),
            (caf(format: "aac ", packets: 10), "is caf of 'aac '"),
            (Array("ID3 an mp3".utf8), "is none of these files"), ([], "is none of these files"),
            (Array("RIFF....WAVEfmt ".utf8), "is a damaged wav"),
            (Array("FORM....AIFF".utf8), "is a damaged aiff"),
            (Array("caff".utf8) + [0, 1, 0, 0], "is a damaged caf"),
            (Array("caff".utf8) + [0, 1, 0, 0] + Array("data".utf8) + big(.max - 3, 8), "is a damaged caf"),
            (Array("RIFF....WAVE".utf8) + Array("junk".utf8) + little(0xffff_fffe, 4), "is a damaged wav"),
        ] as [([UInt8], String)])
    func `formats and lengths are those of Apple's page`(bytes: [UInt8], expected: String) throws {
        #expect(try Self.found("s.bin", bytes).hasPrefix(expected))
    }

    @Test func `the container comes before the group and the bundle, and names do not lead out of them`()
        throws
    {
        let (container, bundle) = (Folder(), Folder())
        try bundle.put("a.wav", Self.wav())
        try bundle.put("b.wav", Self.wav())
        try container.put("a.wav", Self.wav())
        try container.put("folder/c.wav", Self.wav())
        let library = SoundLibrary(directories: [container.url, bundle.url])
        #expect(try library.path(of: "a.wav") == container.url.path + "/a.wav")
        #expect(try library.path(of: "b.wav") == bundle.url.path + "/b.wav")
        #expect(try library.path(of: "folder/c.wav") == container.url.path + "/folder/c.wav")
        let outside = "../" + bundle.url.lastPathComponent + "/b.wav"
        for name in [
            outside, bundle.url.path + "/b.wav", "", "/", "folder/", "folder//c.wav", "./a.wav", "no",
        ] {
            #expect(throws: SoundFault.notFound, "\(name)") { try library.path(of: name) }
        }
        #expect(throws: SoundFault.notReadable) { try library.path(of: "folder") }
    }

    @Test func `a sound that cannot be played is the default one, and the developer is told why`()
        async throws
    {
        let folder = Folder()
        try folder.put("short.wav", Self.wav())
        try folder.put("long.wav", Self.wav(seconds: 31))
        let device = try await Device.allowed()
        device.host.soundDirectories = [folder.url]
        for name in ["short.wav", "long.wav", "none.wav"] {
            let made = content()
            made.sound = UNNotificationSound(named: UNNotificationSoundName(name))
            try await device.center.add(request(name, nil, content: made))
        }
        try await device.center.add(request("default", nil))
        await device.settle()
        #expect(device.host.shown.map(\.presentation.playsSound) == [true, true, true, true])
        #expect(
            device.host.shown.map(\.presentation.soundPath) == [
                folder.url.path + "/short.wav", nil, nil, nil,
            ])
        #expect(
            device.host.diagnoses == [
                "notification 'long.wav' plays the default sound: 'long.wav' lasts 31.0 s; allowed are 30 s",
                "notification 'none.wav' plays the default sound: 'none.wav' is in none of the directories of sounds",
            ])
    }

    @Test func `the machine's host looks beside its schedule first`() throws {
        let directory = URL(fileURLWithPath: "/x")
        let directories = try #require(SystemHost(directory: directory).soundDirectories)
        #expect(directories.first?.path == "/x/Library/Sounds")
        #expect(directories.last == Bundle.main.resourceURL ?? Bundle.main.bundleURL)
    }
}
