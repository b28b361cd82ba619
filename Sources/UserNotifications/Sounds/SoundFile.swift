internal import Foundation

/// What the header of a sound file says, if it is one that a notification can play.
///
/// Formats and length: Apple, `UNNotificationSound` (linear PCM, MA4, µ-law or a-law in aiff, wav or caf; under 30 s).
struct SoundFile: Hashable, Sendable {
    let seconds: Double

    /// Longer sounds are not played.
    static let secondsMax = 30.0
    /// Files with more chunks than this before their sound are taken for damaged.
    private static let chunkCountMax = 1000

    init(path: String) throws(SoundFault) {
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory), !isDirectory.boolValue,
            let handle = FileHandle(forReadingAtPath: path), let end = try? handle.seekToEnd()
        else { throw .notReadable }
        defer { try? handle.close() }
        let reader = SoundReader(handle: handle, byteCount: end)
        switch reader.text(at: 0, count: 4) {
        case "RIFF" where reader.text(at: 8, count: 4) == "WAVE": seconds = try Self.wave(reader)
        case "FORM" where reader.text(at: 8, count: 3) == "AIF": seconds = try Self.aiff(reader)
        case "caff": seconds = try Self.caf(reader)
        default: throw .unsupported("none of these files")
        }
    }

    private static func wave(_ reader: SoundReader) throws(SoundFault) -> Double {
        var bytesPerSecond: Double?
        var at: UInt64 = 12
        for _ in 0..<chunkCountMax {
            guard let name = reader.text(at: at, count: 4), let size = reader.little(at: at + 4, count: 4)
            else {
                break
            }
            if name == "fmt " {
                var tag = reader.little(at: at + 8, count: 2) ?? 0
                if tag == 0xfffe { tag = reader.little(at: at + 32, count: 2) ?? 0 }
                // 1 PCM, 3 PCM of floating-point numbers, 6 a-law, 7 µ-law, 17 IMA ADPCM.
                guard [1, 3, 6, 7, 17].contains(tag) else { throw .unsupported("wav of format \(tag)") }
                bytesPerSecond = Double(reader.little(at: at + 16, count: 4) ?? 0)
            } else if name == "data", let bytesPerSecond, bytesPerSecond > 0 {
                return Double(min(size, reader.byteCount - min(reader.byteCount, at + 8))) / bytesPerSecond
            }
            at += 8 + size + size % 2
        }
        throw .unsupported("a damaged wav")
    }

    private static func aiff(_ reader: SoundReader) throws(SoundFault) -> Double {
        let isCompressed = reader.text(at: 8, count: 4) == "AIFC"
        var at: UInt64 = 12
        for _ in 0..<chunkCountMax {
            guard let name = reader.text(at: at, count: 4), let size = reader.big(at: at + 4, count: 4) else {
                break
            }
            guard name != "COMM" else {
                let format = isCompressed ? reader.text(at: at + 26, count: 4) ?? "" : "NONE"
                guard let packet = aiffFrameCounts[format] else { throw .unsupported("aiff of '\(format)'") }
                guard let frames = reader.big(at: at + 10, count: 4),
                    let rate = reader.extended(at: at + 16), rate > 0
                else { break }
                return Double(frames) * packet / rate
            }
            at += 8 + size + size % 2
        }
        throw .unsupported("a damaged aiff")
    }

    /// Kinds of aiff that are played, and how many samples one of their frames is.
    private static let aiffFrameCounts: [String: Double] = [
        "NONE": 1, "twos": 1, "sowt": 1, "in24": 1, "in32": 1, "fl32": 1, "FL32": 1, "fl64": 1, "FL64": 1,
        "ulaw": 1, "ULAW": 1, "alaw": 1, "ALAW": 1, "ima4": 64,
    ]

    private static func caf(_ reader: SoundReader) throws(SoundFault) -> Double {
        var rate = 0.0
        var bytesPerPacket = 0.0
        var framesPerPacket = 0.0
        var byteCount: Double?
        var at: UInt64 = 8
        for _ in 0..<chunkCountMax {
            guard let name = reader.text(at: at, count: 4), let size = reader.big(at: at + 4, count: 8) else {
                break
            }
            let body = at + 12
            if name == "desc" {
                let format = reader.text(at: body + 8, count: 4) ?? ""
                guard ["lpcm", "ima4", "ulaw", "alaw"].contains(format) else {
                    throw .unsupported("caf of '\(format)'")
                }
                rate = Double(bitPattern: reader.big(at: body, count: 8) ?? 0)
                bytesPerPacket = Double(reader.big(at: body + 16, count: 4) ?? 0)
                framesPerPacket = Double(reader.big(at: body + 20, count: 4) ?? 0)
            } else if name == "data" {
                // A size of -1 means: up to the end. Four bytes before the sound count edits.
                let isOpen = size == .max || size > reader.byteCount - min(reader.byteCount, body)
                byteCount = Double(isOpen ? reader.byteCount - min(reader.byteCount, body) : size) - 4
                if isOpen { break }
            }
            let (next, overflow) = body.addingReportingOverflow(size)
            if overflow { break }
            at = next
        }
        guard let byteCount, rate > 0, rate.isFinite, bytesPerPacket > 0, framesPerPacket > 0 else {
            throw .unsupported("a damaged caf")
        }
        return max(0, byteCount) / bytesPerPacket * framesPerPacket / rate
    }
}
