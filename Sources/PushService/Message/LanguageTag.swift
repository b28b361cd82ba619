/// A language as devices and requests name it: language, script and region, without the rest.
///
/// `zh_CN`, `zh-Hans-CN` and `zh-cn` are the same value: the script of Chinese follows from the region. Tags and
/// order of the parts: BCP 47.
struct LanguageTag: Hashable, Sendable {
    /// Two or three letters, in lower case.
    let language: String
    /// Four letters, the first one large; nil when it is not known.
    let script: String?
    /// Two large letters or three digits.
    let region: String?

    private init(language: String, script: String?, region: String?) {
        self.language = language
        self.script = script
        self.region = region
    }

    /// Reads a tag with `-` or `_` in any case; variants, extensions and what follows `@` or `.` are left out.
    ///
    /// - Returns: nil for a text that does not begin with a language.
    init?(_ text: Substring) {
        let end = text.utf8.firstIndex { $0 == 0x40 || $0 == 0x2e } ?? text.endIndex
        var parts = text[..<end].split(
            maxSplits: 8, omittingEmptySubsequences: false, whereSeparator: { $0 == "-" || $0 == "_" })[...]
        guard let first = parts.popFirst(), (2...3).contains(first.utf8.count), Self.isLetters(first) else {
            return nil
        }
        var language = first.lowercased()
        var script: String?
        var region: String?
        // `zh-yue` is `yue`.
        if language == "zh", let next = parts.first, next.utf8.count == 3, Self.isLetters(next) {
            language = next.lowercased()
            parts.removeFirst()
        }
        if let next = parts.first, next.utf8.count == 4, Self.isLetters(next) {
            script = next.prefix(1).uppercased() + next.dropFirst().lowercased()
            parts.removeFirst()
        }
        if let next = parts.first, Self.isRegion(next) {
            region = next.uppercased()
            parts.removeFirst()
        }
        guard parts.allSatisfy(Self.isSubtag) else { return nil }
        language = Self.canonicalLanguages[language] ?? language
        if script == nil, language == "zh" { script = region.flatMap { Self.chineseScripts[$0] } }
        self.init(language: language, script: script, region: region)
    }

    /// Reads a tag; see the other initialiser.
    init?(_ text: String) { self.init(text[...]) }

    /// The tag as BCP 47 writes it.
    var text: String {
        [language, script, region].compactMap(\.self).joined(separator: "-")
    }

    /// The languages to look for, best first, among those there are texts for.
    ///
    /// A region is given up before a script; a script is never exchanged for another one: whoever reads
    /// `zh-Hant` is not shown `zh-Hans`.
    func chain(among available: [LanguageTag]) -> [LanguageTag] {
        var chain: [LanguageTag] = []
        func add(_ tag: LanguageTag) {
            if available.contains(tag), !chain.contains(tag) { chain.append(tag) }
        }
        for tag in [self] + relatives {
            add(tag)
            if tag.script != nil {
                add(LanguageTag(language: tag.language, script: tag.script, region: nil))
                // Chinese for another region in the same script is read without effort.
                if tag.language == "zh" {
                    available.filter { $0.language == "zh" && $0.script == tag.script }.forEach(add)
                }
            }
            if tag.region != nil {
                add(LanguageTag(language: tag.language, script: nil, region: tag.region))
            }
            add(LanguageTag(language: tag.language, script: nil, region: nil))
        }
        return chain
    }

    /// Other languages whose readers read this one, or what is meant when the script is not said.
    private var relatives: [LanguageTag] {
        switch language {
        case "zh" where script == nil: [LanguageTag(language: "zh", script: "Hans", region: region)]
        case "yue": [LanguageTag(language: "zh", script: script ?? "Hant", region: region)]
        case "nb", "nn": [LanguageTag(language: "no", script: script, region: region)]
        case "no": [LanguageTag(language: "nb", script: script, region: region)]
        default: []
        }
    }

    /// The script Chinese is written in, by region.
    private static let chineseScripts = [
        "CN": "Hans", "SG": "Hans", "MY": "Hans", "TW": "Hant", "HK": "Hant", "MO": "Hant",
    ]

    /// Codes that were replaced by others.
    private static let canonicalLanguages = ["iw": "he", "in": "id", "ji": "yi", "cmn": "zh"]

    private static func isLetters(_ text: Substring) -> Bool {
        text.utf8.allSatisfy { 0x41...0x5a ~= $0 || 0x61...0x7a ~= $0 }
    }

    private static func isRegion(_ text: Substring) -> Bool {
        switch text.utf8.count {
        case 2: isLetters(text)
        case 3: text.utf8.allSatisfy { 0x30...0x39 ~= $0 }
        default: false
        }
    }

    /// Anything a tag may go on with.
    private static func isSubtag(_ text: Substring) -> Bool {
        (1...8).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                0x30...0x39 ~= $0 || 0x41...0x5a ~= $0 || 0x61...0x7a ~= $0
            }
    }
}

extension LanguageTag: Comparable {
    /// The order of their texts.
    static func < (left: LanguageTag, right: LanguageTag) -> Bool { left.text < right.text }
}
