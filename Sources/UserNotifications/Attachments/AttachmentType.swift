internal import Foundation

/// A kind of file that a notification can show.
///
/// Sizes and formats: Apple, `UNNotificationAttachment`.
struct AttachmentType: Hashable, Sendable {
    /// A uniform type identifier.
    let identifier: String
    let extensions: [String]
    let byteCountMax: Int
    /// What a file of the type begins with: bytes and where they are; any of them.
    private let signatures: [(offset: Int, bytes: [UInt8])]

    private static let audioByteCountMax = 5 << 20
    private static let imageByteCountMax = 10 << 20
    private static let movieByteCountMax = 50 << 20
    /// How much of a file is read to know it.
    static let headByteCount = 16

    static func == (left: AttachmentType, right: AttachmentType) -> Bool {
        left.identifier == right.identifier
    }

    func hash(into hasher: inout Hasher) { hasher.combine(identifier) }

    static let all = [
        AttachmentType("public.jpeg", ["jpg", "jpeg"], imageByteCountMax, [(0, [0xff, 0xd8, 0xff])]),
        AttachmentType("com.compuserve.gif", ["gif"], imageByteCountMax, [(0, Array("GIF8".utf8))]),
        AttachmentType(
            "public.png", ["png"], imageByteCountMax, [(0, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])]),
        AttachmentType(
            "public.aiff-audio", ["aiff", "aif", "aifc"], audioByteCountMax, [(8, Array("AIF".utf8))]),
        AttachmentType("com.microsoft.waveform-audio", ["wav"], audioByteCountMax, [(8, Array("WAVE".utf8))]),
        AttachmentType(
            "public.mp3", ["mp3"], audioByteCountMax,
            [
                (0, Array("ID3".utf8)), (0, [0xff, 0xfb]), (0, [0xff, 0xf3]), (0, [0xff, 0xf2]),
                (0, [0xff, 0xfa]),
            ]),
        AttachmentType("public.mpeg-4-audio", ["m4a"], audioByteCountMax, [(4, Array("ftyp".utf8))]),
        AttachmentType(
            "public.mpeg", ["mpg", "mpeg"], movieByteCountMax, [(0, [0, 0, 1, 0xba]), (0, [0, 0, 1, 0xb3])]),
        AttachmentType(
            "public.mpeg-2-video", ["m2v"], movieByteCountMax, [(0, [0, 0, 1, 0xba]), (0, [0, 0, 1, 0xb3])]),
        AttachmentType("public.mpeg-4", ["mp4", "m4v"], movieByteCountMax, [(4, Array("ftyp".utf8))]),
        AttachmentType("public.avi", ["avi"], movieByteCountMax, [(8, Array("AVI ".utf8))]),
    ]

    private init(
        _ identifier: String, _ extensions: [String], _ byteCountMax: Int, _ signatures: [(Int, [UInt8])]
    ) {
        self.identifier = identifier
        self.extensions = extensions
        self.byteCountMax = byteCountMax
        self.signatures = signatures.map { (offset: $0.0, bytes: $0.1) }
    }

    /// The type of a file's name, or of an identifier given instead.
    static func type(ofName name: String, hint: String?) -> AttachmentType? {
        if let hint { return all.first { $0.identifier == hint } }
        let suffix = (name as NSString).pathExtension.lowercased()
        return all.first { $0.extensions.contains(suffix) }
    }

    /// Whether a file that begins like this can be of the type.
    func matches(head: [UInt8]) -> Bool {
        signatures.contains { signature in
            head.count >= signature.offset + signature.bytes.count
                && Array(head[signature.offset..<signature.offset + signature.bytes.count]) == signature.bytes
        }
    }
}
