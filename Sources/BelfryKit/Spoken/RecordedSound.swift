/// A recorded sound in memory: its format and its samples.
public struct RecordedSound: Hashable, Sendable {
    /// How the samples are coded.
    public var format: SoundFormat
    /// Whole frames, one after another.
    public var samples: [UInt8]

    /// Makes a sound.
    public init(format: SoundFormat, samples: [UInt8]) {
        self.format = format
        self.samples = samples
    }

    /// How long it plays, in seconds.
    public var seconds: Double { Double(samples.count) / Double(max(1, format.bytesPerSecond)) }

    /// The longest sound that iOS plays for a notification, in seconds; a longer one is replaced by the default (Apple:
    /// UNNotificationSound).
    public static let secondsMax = 30.0

    /// Reads a WAV or CAF file.
    ///
    /// - Parameters:
    ///   - bytes: the whole file.
    ///   - name: what the error calls it.
    /// - Throws: `sound` for a file of another kind, one that is cut off, or a coding that notifications do not play.
    public init(file bytes: [UInt8], name: String = "sound") throws(BelfryKitError) {
        if bytes.starts(with: Array("RIFF".utf8)) {
            self = try WAVFile.read(bytes, name: name)
        } else if bytes.starts(with: Array("caff".utf8)) {
            self = try CAFFile.read(bytes, name: name)
        } else {
            throw BelfryKitError(
                code: .sound,
                message: "\(name): found neither 'RIFF' nor 'caff' at its start; allowed: WAV and CAF")
        }
    }

    /// Joins sounds in their order.
    ///
    /// - Throws: `sound` when there is none, the formats differ, or it would play longer than ``secondsMax``.
    public static func joining(
        _ sounds: [(name: String, sound: RecordedSound)]
    ) throws(BelfryKitError) -> RecordedSound {
        guard let first = sounds.first else {
            throw BelfryKitError(code: .sound, message: "pieces: found none; allowed: one or more")
        }
        let format = first.sound.format
        let byteCountMax = Int(secondsMax) * format.bytesPerSecond
        var joined = RecordedSound(format: format, samples: [])
        for (name, sound) in sounds {
            guard sound.format == format else {
                throw BelfryKitError(
                    code: .sound,
                    message: "\(name): found \(sound.format); allowed: \(format), as '\(first.name)' has it")
            }
            guard joined.samples.count + sound.samples.count <= byteCountMax else {
                throw BelfryKitError(
                    code: .sound,
                    message: "\(name): found an end after \(Int(secondsMax)) s; allowed: before it")
            }
            joined.samples += sound.samples
        }
        return joined
    }

    /// The sound as a WAV file.
    public var wavFile: [UInt8] { WAVFile.write(self) }

    /// The sound as a CAF file.
    public var cafFile: [UInt8] { CAFFile.write(self) }
}
