/// CAF files (Apple: Core Audio Format Specification 1.0).
enum CAFFile {
    /// In the flags of linear PCM.
    private static let isFloat = 1
    private static let isLittleEndian = 2

    static func read(_ bytes: [UInt8], name: String) throws(BelfryKitError) -> RecordedSound {
        var file = ByteReader(bytes[...], name: name)
        _ = try file.take(8)
        var description: (format: SoundFormat, isSwapped: Bool)?
        while file.remainingCount >= 12 {
            let kind = try file.code()
            let byteCount = try file.bigEndian(8)
            if kind == "data" {
                guard let description else {
                    throw BelfryKitError(
                        code: .sound,
                        message: "\(name): found samples before their format; allowed: 'desc' first")
                }
                // -1: up to the end of the file.
                let count = byteCount == -1 ? file.remainingCount : Int(clamping: byteCount)
                var chunk = ByteReader(try file.take(count), name: name)
                _ = try chunk.take(4)
                return sound(Array(try chunk.take(chunk.remainingCount)), description)
            }
            let chunk = try file.take(Int(clamping: byteCount))
            if kind == "desc" { description = try self.description(chunk, name: name) }
        }
        throw BelfryKitError(code: .sound, message: "\(name): found no samples; allowed: a chunk 'data'")
    }

    private static func sound(
        _ bytes: [UInt8], _ description: (format: SoundFormat, isSwapped: Bool)
    ) -> RecordedSound {
        let format = description.format
        var samples = Array(bytes.prefix(bytes.count / format.bytesPerFrame * format.bytesPerFrame))
        let width = format.bitsPerSample / 8
        if description.isSwapped, width > 1 {
            for start in stride(from: 0, to: samples.count, by: width) {
                samples[start..<start + width].reverse()
            }
        }
        // One byte has a sign in CAF and none in WAV.
        if format.coding == .linear, width == 1 {
            for index in samples.indices { samples[index] ^= 0x80 }
        }
        return RecordedSound(format: format, samples: samples)
    }

    private static func description(
        _ chunk: ArraySlice<UInt8>, name: String
    ) throws(BelfryKitError) -> (format: SoundFormat, isSwapped: Bool) {
        var chunk = ByteReader(chunk, name: name)
        let rate = Double(bitPattern: UInt64(bitPattern: try chunk.bigEndian(8)))
        let kind = try chunk.code()
        let flags = Int(try chunk.bigEndian(4))
        _ = try chunk.take(8)
        let channelCount = Int(try chunk.bigEndian(4))
        let bitsPerSample = Int(try chunk.bigEndian(4))
        let coding: SoundFormat.Coding
        switch kind {
        case "lpcm" where flags & isFloat == 0: coding = .linear
        case "alaw": coding = .aLaw
        case "ulaw": coding = .muLaw
        default:
            throw BelfryKitError(
                code: .sound,
                message: "\(name): found CAF format '\(kind)' \(flags); allowed: lpcm of whole numbers, "
                    + "alaw, ulaw")
        }
        let format = SoundFormat(
            coding: coding, samplesPerSecond: Int(exactly: rate) ?? 0, channelCount: channelCount,
            bitsPerSample: bitsPerSample)
        try format.check(name)
        return (format, coding == .linear && flags & isLittleEndian == 0)
    }

    static func write(_ sound: RecordedSound) -> [UInt8] {
        let format = sound.format
        var samples = sound.samples
        if format.coding == .linear, format.bitsPerSample == 8 {
            for index in samples.indices { samples[index] ^= 0x80 }
        }
        let code =
            [SoundFormat.Coding.linear: "lpcm", .aLaw: "alaw", .muLaw: "ulaw"][format.coding] ?? "lpcm"
        var bytes = Array("caff".utf8) + bigEndianBytes(1, 2) + bigEndianBytes(0, 2)
        bytes += Array("desc".utf8) + bigEndianBytes(32, 8)
        let rate = Int(bitPattern: UInt(Double(format.samplesPerSecond).bitPattern))
        bytes += bigEndianBytes(rate, 8) + Array(code.utf8)
        bytes += bigEndianBytes(format.coding == .linear ? isLittleEndian : 0, 4)
        bytes += bigEndianBytes(format.bytesPerFrame, 4) + bigEndianBytes(1, 4)
        bytes += bigEndianBytes(format.channelCount, 4) + bigEndianBytes(format.bitsPerSample, 4)
        bytes += Array("data".utf8) + bigEndianBytes(4 + samples.count, 8) + bigEndianBytes(0, 4)
        return bytes + samples
    }
}
