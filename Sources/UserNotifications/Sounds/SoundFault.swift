/// Why a sound file is not played.
enum SoundFault: Error, Hashable, Sendable, CustomStringConvertible {
    case notFound
    case notReadable
    case unsupported(String)
    case tooLong(seconds: Double)

    var description: String {
        switch self {
        case .notFound: "is in none of the directories of sounds"
        case .notReadable: "is no file that can be read"
        case .unsupported(let found):
            "is \(found); allowed are linear PCM, IMA4, µ-law and a-law in aiff, wav or caf"
        case .tooLong(let seconds):
            "lasts \((seconds * 10).rounded() / 10) s; allowed are \(Int(SoundFile.secondsMax)) s"
        }
    }
}
