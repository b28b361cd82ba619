internal import Foundation

/// Something that a user did in the app, as the push service takes it (`POST /1.1/events`).
struct AppEvent: Hashable, Sendable, Codable {
    /// The service's bounds; one event beyond them has it refuse all of a request.
    private static let nameByteCountMax = 64
    private static let articleByteCountMax = 64
    private static let tagCountMax = 32
    private static let tagByteCountMax = 64
    private static let propertiesByteCountMax = 2048

    let name: String
    let article: String?
    let tags: [String]
    let properties: [String: PayloadValue]

    /// - Throws: `invalidArgument` for what the service would refuse.
    init(
        name: String, article: String?, tags: [String], properties: [String: PayloadValue]
    ) throws(BelfryKitError) {
        try Self.check("name", name, byteCountMax: Self.nameByteCountMax)
        if let article { try Self.check("article", article, byteCountMax: Self.articleByteCountMax) }
        guard Set(tags).count <= Self.tagCountMax else {
            throw BelfryKitError(
                .invalidArgument, "tags", found: "\(Set(tags).count)", allowed: "\(Self.tagCountMax)")
        }
        for tag in tags where !Self.isTag(tag) {
            throw BelfryKitError(
                .invalidArgument, "tags", found: tag,
                allowed: "1 to \(Self.tagByteCountMax) bytes of letters, digits, '_' and '-'")
        }
        let byteCount = try? JSONEncoder().encode(properties).count
        guard let byteCount, byteCount <= Self.propertiesByteCountMax else {
            throw BelfryKitError(
                .invalidArgument, "properties",
                found: byteCount.map { "\($0) bytes of JSON" } ?? "a number that JSON does not have",
                allowed: "\(Self.propertiesByteCountMax) bytes of JSON")
        }
        self.name = name
        self.article = article
        self.tags = tags
        self.properties = properties
    }

    private static func check(
        _ field: String, _ text: String, byteCountMax: Int
    ) throws(BelfryKitError) {
        guard (1...byteCountMax).contains(text.utf8.count) else {
            throw BelfryKitError(
                .invalidArgument, field, found: "\(text.utf8.count) bytes", allowed: "1 to \(byteCountMax)")
        }
    }

    /// Tags become parts of names in conditions (`interests.sports`), where a dot would mean something else.
    private static func isTag(_ text: String) -> Bool {
        (1...tagByteCountMax).contains(text.utf8.count)
            && text.unicodeScalars.allSatisfy {
                $0 == "_" || $0 == "-" || $0.properties.isAlphabetic || $0.properties.numericType != nil
            }
    }
}
