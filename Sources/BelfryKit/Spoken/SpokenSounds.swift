public import Foundation
public import UserNotifications

/// Sounds that say something, put together from recorded pieces in a notification service extension: so that a payment is
/// read aloud while the app is in the background.
///
/// The pieces are WAV or CAF files of one format. What comes of them goes into `Library/Sounds` of the group that the
/// extension shares with the app, where iOS looks for it.
///
///     let sounds = SpokenSounds(pieces: [bundleFolder], output: groupFolder.appendingPathComponent("Library/Sounds"))
///     sounds.speak([.piece("received"), .amount("1280.50", .chinese), .piece("yuan")], in: content)
///
/// Safe from any thread; reads and writes files.
public struct SpokenSounds: Sendable {
    /// The largest recorded piece, in bytes: 30 s of stereo at 48,000 Hz with 16 bits.
    ///
    /// An extension has about 24 MB.
    public static let pieceByteCountMax = 30 * 48_000 * 4 + 4_096
    /// How many sounds stay in the folder; the oldest go.
    public static let keptCountMax = 20
    /// Pieces of one sound.
    public static let pieceCountMax = 200
    private static let prefix = "belfry-spoken-"

    private let folders: [URL]
    private let output: URL

    /// Makes sounds.
    ///
    /// - Parameters:
    ///   - folders: those with recorded pieces, the first one that has a piece counts.
    ///   - output: `Library/Sounds` of the group's container.
    public init(pieces folders: [URL], output: URL) {
        self.folders = folders
        self.output = output
    }

    /// Puts a sound together and gives it to a notification; without a sound of its own it plays the default.
    ///
    /// - Returns: why it plays the default; nil when it speaks.
    @discardableResult
    public func speak(_ phrases: [SpokenPhrase], in content: UNMutableNotificationContent) -> BelfryKitError?
    {
        do throws(BelfryKitError) {
            content.sound = UNNotificationSound(named: UNNotificationSoundName(rawValue: try make(phrases)))
            return nil
        } catch {
            content.sound = .default
            return error
        }
    }

    /// Puts a sound together.
    ///
    /// - Returns: the file's name in the output folder.
    /// - Throws: `sound` for a piece that is missing, cannot be read or has another format, or a sound of more than 30 s;
    ///   `invalidArgument` for an amount that is no number; `storage` when the file cannot be written.
    public func make(_ phrases: [SpokenPhrase]) throws(BelfryKitError) -> String {
        var names: [String] = []
        for phrase in phrases { names += try phrase.pieces() }
        guard names.count <= Self.pieceCountMax else {
            throw BelfryKitError(
                code: .sound, message: "pieces: found \(names.count); allowed: \(Self.pieceCountMax)")
        }
        var read: [String: RecordedSound] = [:]
        var sounds: [(name: String, sound: RecordedSound)] = []
        for name in names {
            let sound: RecordedSound
            if let known = read[name] { sound = known } else { sound = try piece(name) }
            read[name] = sound
            sounds.append((name, sound))
        }
        let file = try RecordedSound.joining(sounds).wavFile
        // The same words are the same file; a name says nothing of what is said.
        let name = Self.prefix + MD5Digest.hexadecimal(of: Array(names.joined(separator: " ").utf8)) + ".wav"
        do {
            try FileManager.default.createDirectory(at: output, withIntermediateDirectories: true)
            try Data(file).write(to: output.appendingPathComponent(name), options: .atomic)
        } catch {
            throw BelfryKitError(code: .storage, message: "\(name): \(error)")
        }
        removeOld(keeping: name)
        return name
    }

    private func piece(_ name: String) throws(BelfryKitError) -> RecordedSound {
        let isName = !name.isEmpty && !name.hasPrefix(".") && !name.contains("/") && !name.contains("\0")
        if isName {
            for folder in folders {
                for suffix in [".wav", ".caf"] {
                    let file = folder.appendingPathComponent(name + suffix)
                    let values = try? FileManager.default.attributesOfItem(atPath: file.path)
                    guard let byteCount = (values?[.size] as? NSNumber)?.intValue else { continue }
                    guard byteCount <= Self.pieceByteCountMax, let data = try? Data(contentsOf: file) else {
                        throw BelfryKitError(
                            code: .sound,
                            message:
                                "\(name): found a file of \(byteCount) bytes that cannot be taken; allowed: "
                                + "\(Self.pieceByteCountMax)")
                    }
                    return try RecordedSound(file: [UInt8](data), name: name)
                }
            }
        }
        throw BelfryKitError(
            code: .sound, message: "\(name.prefix(40)): found no such file; allowed: NAME.wav or NAME.caf")
    }

    /// Sounds of notifications that are long gone.
    private func removeOld(keeping name: String) {
        let files =
            (try? FileManager.default.contentsOfDirectory(
                at: output, includingPropertiesForKeys: [.contentModificationDateKey])) ?? []
        let own = files.filter { $0.lastPathComponent.hasPrefix(Self.prefix) && $0.lastPathComponent != name }
        guard own.count >= Self.keptCountMax else { return }
        let dated = own.map { file -> (file: URL, date: Date) in
            let values = try? file.resourceValues(forKeys: [.contentModificationDateKey])
            return (file, values?.contentModificationDate ?? .distantPast)
        }
        for (file, _) in dated.sorted(by: { $0.date > $1.date }).dropFirst(Self.keptCountMax - 1) {
            try? FileManager.default.removeItem(at: file)
        }
    }
}
