import Foundation
import Testing
import UserNotifications

@testable import BelfryKit

@Suite final class SpokenSoundsTests {
    private static let format = SoundFormat(
        coding: .linear, samplesPerSecond: 8_000, channelCount: 1, bitsPerSample: 16)
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    private var pieces: URL { folder.appendingPathComponent("pieces") }
    private var output: URL { folder.appendingPathComponent("Library/Sounds") }
    private var sounds: SpokenSounds { SpokenSounds(pieces: [pieces], output: output) }

    init() throws {
        try FileManager.default.createDirectory(at: pieces, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func record(_ name: String, _ sound: RecordedSound, asCAF: Bool = false) throws {
        let file = pieces.appendingPathComponent(name + (asCAF ? ".caf" : ".wav"))
        try Data(asCAF ? sound.cafFile : sound.wavFile).write(to: file)
    }

    private func sound(_ byte: UInt8, seconds: Double = 0.5, format: SoundFormat = format) -> RecordedSound {
        let count = Int(seconds * Double(format.samplesPerSecond)) * format.bytesPerFrame
        return RecordedSound(format: format, samples: [UInt8](repeating: byte, count: count))
    }

    @Test func `a payment is read aloud: the pieces one after another, in one file`() throws {
        for (index, name) in ["received", "one", "ten-thousand", "pair", "thousand", "point", "five", "yuan"]
            .enumerated()
        {
            try record(name, sound(UInt8(index)), asCAF: index % 2 == 1)
        }
        let content = UNMutableNotificationContent()
        let failure = sounds.speak(
            [.piece("received"), .amount("12000.50", .chinese), .piece("yuan")], in: content)
        #expect(failure == nil)
        let name = try #require(try FileManager.default.contentsOfDirectory(atPath: output.path).first)
        #expect(content.sound == UNNotificationSound(named: UNNotificationSoundName(rawValue: name)))
        let file = try Data(contentsOf: output.appendingPathComponent(name))
        let spoken = try RecordedSound(file: [UInt8](file))
        #expect(spoken.format == Self.format)
        let expected: [UInt8] = [0, 1, 2, 3, 4, 5, 6, 7]
        #expect(spoken.samples == expected.flatMap { sound($0).samples })
        #expect(abs(spoken.seconds - 4) < 0.001)
    }

    @Test func `a piece that is missing plays the default, and says which`() throws {
        try record("received", sound(1))
        let content = UNMutableNotificationContent()
        let failure = sounds.speak([.piece("received"), .piece("nobody")], in: content)
        #expect(content.sound == .default)
        #expect(failure?.code == .sound)
        #expect(failure?.message.contains("nobody") == true)
        #expect(!FileManager.default.fileExists(atPath: output.path))
    }

    @Test(arguments: ["", ".", "..", "../pieces/a", "a/b", "a\0b", "/etc/passwd"])
    func `a piece's name leads out of no folder`(name: String) throws {
        try record("a", sound(1))
        #expect(throws: BelfryKitError.self) { try sounds.make([.piece(name)]) }
    }

    @Test func `30 s are the limit, and not one sample more`() throws {
        try record("half", sound(1, seconds: 15))
        try record("bit", RecordedSound(format: Self.format, samples: [0, 0]))
        #expect(throws: Never.self) { try sounds.make([.piece("half"), .piece("half")]) }
        #expect(throws: BelfryKitError.self) {
            try sounds.make([.piece("half"), .piece("half"), .piece("bit")])
        }
        #expect(throws: BelfryKitError.self) { try sounds.make([]) }
        #expect(throws: BelfryKitError.self) {
            try sounds.make([SpokenPhrase](repeating: .piece("bit"), count: 201))
        }
    }

    @Test(arguments: [
        SoundFormat(coding: .linear, samplesPerSecond: 16_000, channelCount: 1, bitsPerSample: 16),
        SoundFormat(coding: .linear, samplesPerSecond: 8_000, channelCount: 2, bitsPerSample: 16),
        SoundFormat(coding: .linear, samplesPerSecond: 8_000, channelCount: 1, bitsPerSample: 8),
        SoundFormat(coding: .muLaw, samplesPerSecond: 8_000, channelCount: 1, bitsPerSample: 8),
    ])
    func `pieces of another format are not joined`(format: SoundFormat) throws {
        try record("a", sound(1))
        try record("b", sound(1, format: format))
        #expect(throws: BelfryKitError.self) { try sounds.make([.piece("a"), .piece("b")]) }
    }

    @Test func `old sounds go, and the same words are one file`() throws {
        for number in 0..<30 { try record("p\(number)", sound(UInt8(number), seconds: 0.01)) }
        for number in 0..<30 {
            _ = try sounds.make([.piece("p\(number)")])
            _ = try sounds.make([.piece("p\(number)")])
        }
        let count = try FileManager.default.contentsOfDirectory(atPath: output.path).count
        #expect(count == SpokenSounds.keptCountMax)
    }

    @Test func `files of others in the folder stay`() throws {
        try FileManager.default.createDirectory(at: output, withIntermediateDirectories: true)
        try Data().write(to: output.appendingPathComponent("bell.wav"))
        for number in 0..<30 {
            try record("p\(number)", sound(1, seconds: 0.01))
            _ = try sounds.make([.piece("p\(number)")])
        }
        #expect(FileManager.default.fileExists(atPath: output.appendingPathComponent("bell.wav").path))
    }

    // MARK: Files

    static let formats: [SoundFormat] = [
        SoundFormat(coding: .linear, samplesPerSecond: 8_000, channelCount: 1, bitsPerSample: 8),
        SoundFormat(coding: .linear, samplesPerSecond: 44_100, channelCount: 2, bitsPerSample: 16),
        SoundFormat(coding: .linear, samplesPerSecond: 48_000, channelCount: 1, bitsPerSample: 24),
        SoundFormat(coding: .aLaw, samplesPerSecond: 8_000, channelCount: 1, bitsPerSample: 8),
        SoundFormat(coding: .muLaw, samplesPerSecond: 8_000, channelCount: 2, bitsPerSample: 8),
    ]

    @Test(arguments: formats) func `every format is written and read unchanged`(format: SoundFormat) throws {
        let samples = (0..<(format.bytesPerFrame * 101)).map { UInt8(($0 * 31) & 0xff) }
        let sound = RecordedSound(format: format, samples: samples)
        #expect(try RecordedSound(file: sound.wavFile) == sound)
        #expect(try RecordedSound(file: sound.cafFile) == sound)
    }

    @Test(arguments: formats) func `a file that is cut off anywhere is refused, or is a shorter sound`(
        format: SoundFormat
    ) throws {
        let sound = RecordedSound(
            format: format, samples: [UInt8](repeating: 5, count: format.bytesPerFrame * 10))
        for file in [sound.wavFile, sound.cafFile] {
            for count in 0..<file.count {
                let cut = Array(file.prefix(count))
                if let read = try? RecordedSound(file: cut) {
                    // Only the byte that fills up an odd chunk may be missing.
                    #expect(read == sound)
                }
            }
        }
    }

    @Test func `random bytes after a right beginning end in an error and not in a crash`() {
        var seed: UInt64 = 3
        for round in 0..<20_000 {
            let start = Array((round % 2 == 0 ? "RIFF\0\0\0\0WAVEfmt " : "caff\0\u{1}\0\0desc").utf8)
            var bytes = start
            for _ in 0..<(round % 80) {
                seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                bytes.append(seed >> 62 == 0 ? 0xff : UInt8(truncatingIfNeeded: (seed >> 33) & 0x11))
            }
            _ = try? RecordedSound(file: bytes)
        }
    }

    @Test func `chunks beside the two that count are passed over, odd ones with their filler`() throws {
        let sound = sound(9)
        let file = sound.wavFile
        let extra = Array("LIST".utf8) + [3, 0, 0, 0, 1, 2, 3, 0]
        #expect(try RecordedSound(file: Array(file[..<12]) + extra + Array(file[12...])) == sound)
    }

    @Test func `a format that is given further on is read`() throws {
        let sound = sound(9)
        var file = Array("RIFF".utf8) + [0, 0, 0, 0] + Array("WAVEfmt ".utf8) + [40, 0, 0, 0, 0xfe, 0xff]
        file +=
            Array(sound.wavFile[22..<36]) + [22, 0, 16, 0, 4, 0, 0, 0, 1, 0]
            + [UInt8](repeating: 0, count: 14)
        #expect(try RecordedSound(file: file + Array(sound.wavFile[36...])) == sound)
    }

    @Test func `big-endian and endless CAF files are read`() throws {
        let sound = RecordedSound(format: Self.format, samples: [1, 2, 3, 4])
        var file = sound.cafFile
        // The flags of the format, and the length of the samples.
        file[35] = 0
        for index in 56..<64 { file[index] = 0xff }
        #expect(try RecordedSound(file: file).samples == [2, 1, 4, 3])
    }

    @Test(
        arguments: [
            [], Array("RIFF".utf8), Array("OggS0000".utf8), Array("FORM\0\0\0\0AIFF".utf8),
            Array("RIFF\0\0\0\0AVI ".utf8), Array("caff\0\u{1}\0\0".utf8),
        ] as [[UInt8]])
    func `other files are refused`(bytes: [UInt8]) {
        #expect(throws: BelfryKitError.self) { try RecordedSound(file: bytes) }
    }
}
