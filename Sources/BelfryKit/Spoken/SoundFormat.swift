/// How the samples of a recorded sound are coded.
///
/// Only sounds of one format can be joined.
public struct SoundFormat: Hashable, Sendable, CustomStringConvertible {
    /// What the bytes of a sample mean.
    public enum Coding: String, Sendable, Hashable, CaseIterable {
        /// Linear PCM, whole numbers, the low byte first (one byte: without a sign).
        case linear
        /// A-law, one byte a sample (ITU-T G.711).
        case aLaw
        /// µ-law, one byte a sample (ITU-T G.711).
        case muLaw
    }

    /// What the bytes mean.
    public var coding: Coding
    /// Samples a second in each channel.
    public var samplesPerSecond: Int
    /// One for mono, two for stereo.
    public var channelCount: Int
    /// Bits of a sample of one channel.
    public var bitsPerSample: Int

    /// Makes a format.
    public init(coding: Coding, samplesPerSecond: Int, channelCount: Int, bitsPerSample: Int) {
        self.coding = coding
        self.samplesPerSecond = samplesPerSecond
        self.channelCount = channelCount
        self.bitsPerSample = bitsPerSample
    }

    /// Bytes of one sample of all channels.
    public var bytesPerFrame: Int { channelCount * bitsPerSample / 8 }

    /// Bytes of one second.
    public var bytesPerSecond: Int { bytesPerFrame * samplesPerSecond }

    /// For a person.
    public var description: String {
        "\(coding.rawValue) \(samplesPerSecond) Hz, \(channelCount) channels, \(bitsPerSample) bits"
    }

    /// Checks that it is one of a notification's sound.
    func check(_ name: String) throws(BelfryKitError) {
        let bits: Set<Int> = coding == .linear ? [8, 16, 24, 32] : [8]
        guard (4_000...192_000).contains(samplesPerSecond), (1...2).contains(channelCount),
            bits.contains(bitsPerSample)
        else {
            throw BelfryKitError(
                code: .sound,
                message:
                    "\(name): found \(self); allowed: linear PCM of 8 to 32 bits, A-law or µ-law, 4,000 to "
                    + "192,000 Hz, 1 or 2 channels")
        }
    }
}
