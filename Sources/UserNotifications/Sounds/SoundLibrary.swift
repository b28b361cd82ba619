internal import Foundation

/// Finds an app's sound files by name.
///
/// Order of the directories: Apple, `UNNotificationSound` (the container's `Library/Sounds`, the groups', the bundle).
struct SoundLibrary: Sendable {
    let directories: [URL]

    /// The path of a sound that can be played: the first file of the name counts, even if a later one would be fit.
    func path(of name: String) throws(SoundFault) -> String {
        // A name is a file's, perhaps in a folder; it does not lead out of the directory.
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        guard !parts.contains(""), !parts.contains("."), !parts.contains("..") else { throw .notFound }
        for directory in directories {
            let path = directory.appendingPathComponent(name).path
            guard FileManager.default.fileExists(atPath: path) else { continue }
            let sound = try SoundFile(path: path)
            guard sound.seconds <= SoundFile.secondsMax else { throw .tooLong(seconds: sound.seconds) }
            return path
        }
        throw .notFound
    }
}
