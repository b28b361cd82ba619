/// WAV files: chunks in a RIFF container (Microsoft and IBM: Multimedia Programming Interface and Data Specifications).
enum WAVFile {
    private static let codings: [Int: SoundFormat.Coding] = [1: .linear, 6: .aLaw, 7: .muLaw]
    /// A format that says the real one further on (Microsoft: WAVEFORMATEXTENSIBLE).
    private static let extensible = 0xfffe

    static func read(_ bytes: [UInt8], name: String) throws(BelfryKitError) -> RecordedSound {
        var file = ByteReader(bytes[...], name: name)
        _ = try file.take(8)
        guard try file.code() == "WAVE" else {
            throw BelfryKitError(
                code: .sound, message: "\(name): found no 'WAVE' in a RIFF file; allowed: WAV")
        }
        var format: SoundFormat?
        while file.remainingCount >= 8 {
            let kind = try file.code()
            let byteCount = try file.littleEndian(4)
            if kind == "data" {
                guard let format else {
                    throw BelfryKitError(
                        code: .sound,
                        message: "\(name): found samples before their format; allowed: 'fmt ' first")
                }
                let samples = try file.take(byteCount)
                return RecordedSound(
                    format: format,
                    samples: Array(samples.prefix(byteCount / format.bytesPerFrame * format.bytesPerFrame)))
            }
            let chunk = try file.take(byteCount)
            // Chunks begin at even places.
            if byteCount % 2 == 1, file.remainingCount > 0 { _ = try file.take(1) }
            if kind == "fmt " { format = try self.format(chunk, name: name) }
        }
        throw BelfryKitError(code: .sound, message: "\(name): found no samples; allowed: a chunk 'data'")
    }

    private static func format(_ chunk: ArraySlice<UInt8>, name: String) throws(BelfryKitError) -> SoundFormat
    {
        var chunk = ByteReader(chunk, name: name)
        var tag = try chunk.littleEndian(2)
        let channelCount = try chunk.littleEndian(2)
        let samplesPerSecond = try chunk.littleEndian(4)
        _ = try chunk.take(6)
        let bitsPerSample = try chunk.littleEndian(2)
        if tag == extensible {
            _ = try chunk.take(8)
            tag = try chunk.littleEndian(2)
        }
        guard let coding = codings[tag] else {
            throw BelfryKitError(
                code: .sound,
                message: "\(name): found WAV format \(tag); allowed: 1 (PCM), 6 (A-law), 7 (µ-law)")
        }
        let format = SoundFormat(
            coding: coding, samplesPerSecond: samplesPerSecond, channelCount: channelCount,
            bitsPerSample: bitsPerSample)
        try format.check(name)
        return format
    }

    static func write(_ sound: RecordedSound) -> [UInt8] {
        let format = sound.format
        let tag = codings.first { $0.value == format.coding }?.key ?? 1
        let padding = sound.samples.count % 2
        var bytes = Array("RIFF".utf8) + littleEndianBytes(36 + sound.samples.count + padding, 4)
        bytes += Array("WAVEfmt ".utf8) + littleEndianBytes(16, 4)
        bytes += littleEndianBytes(tag, 2) + littleEndianBytes(format.channelCount, 2)
        bytes += littleEndianBytes(format.samplesPerSecond, 4) + littleEndianBytes(format.bytesPerSecond, 4)
        bytes += littleEndianBytes(format.bytesPerFrame, 2) + littleEndianBytes(format.bitsPerSample, 2)
        bytes += Array("data".utf8) + littleEndianBytes(sound.samples.count, 4)
        return bytes + sound.samples + [UInt8](repeating: 0, count: padding)
    }
}
