/// A language that the console speaks.
enum Language: String, Sendable, CaseIterable {
    case english = "en"
    case chinese = "zh-Hans"

    /// Its own name.
    var name: String {
        switch self {
        case .english: "English"
        case .chinese: "简体中文"
        }
    }

    /// Its own name where there is little room.
    var shortName: String {
        switch self {
        case .english: "EN"
        case .chinese: "中文"
        }
    }

    /// The best one for a header `Accept-Language` (RFC 9110 §12.5.4); English when none fits.
    init(accepting header: String) {
        var best: (language: Language, weight: Double) = (.english, 0)
        for item in header.split(separator: ",").prefix(32) {
            let parts = item.split(separator: ";").map { $0.filter { $0 != " " } }
            guard let tag = parts.first?.lowercased() else { continue }
            let weight =
                parts.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) } ?? 1
            let language: Language? =
                switch tag.prefix(2) {
                case "zh": .chinese
                case "en": .english
                default: nil
                }
            if let language, weight > best.weight { best = (language, weight) }
        }
        self = best.language
    }
}
