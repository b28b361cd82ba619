import FoundationEssentials
import Testing

/// Rules for the texts, read from their sources: each has both languages by its type.
struct PhraseSourceTests {
    struct Entry: Sendable, CustomStringConvertible {
        var name: String
        var english: String
        var chinese: String
        var description: String { name }
    }

    static let entries: [Entry] = {
        let words = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Sources/PushConsole/Words").standardized
        let files = (try? FileManager.default.contentsOfDirectory(atPath: words.path)) ?? []
        var entries: [Entry] = []
        for file in files.sorted() where file.hasPrefix("Phrase+") {
            guard let text = try? String(contentsOf: words.appending(path: file), encoding: .utf8) else {
                continue
            }
            let pattern = #/static let (\w+) = Phrase\(\s*"((?:[^"\\]|\\.)*)",\s*"((?:[^"\\]|\\.)*)"\)/#
            for match in text.matches(of: pattern) {
                entries.append(
                    Entry(name: String(match.1), english: String(match.2), chinese: String(match.3)))
            }
        }
        return entries
    }()

    /// Words that are the same in both languages.
    static let same: Set<String> = ["conditionJSON"]

    @Test func `the texts are found, and each name once`() {
        #expect(Self.entries.count > 300)
        #expect(Set(Self.entries.map(\.name)).count == Self.entries.count)
    }

    @Test(arguments: entries)
    func `both languages say something and have the same values`(entry: Entry) {
        #expect(!entry.english.isEmpty)
        #expect(!entry.chinese.isEmpty)
        func values(_ text: String) -> Set<String> {
            Set(text.matches(of: /\{\d\}/).map { String($0.output) })
        }
        #expect(values(entry.english) == values(entry.chinese))
        let hasChinese = entry.chinese.unicodeScalars.contains { 0x4E00...0x9FFF ~= $0.value }
        // Values and what stands between them are nobody's language.
        let hasWords = entry.chinese.replacing(/\{\d\}/, with: "").contains { $0.isLetter }
        let isLatin = !entry.chinese.contains { !$0.isASCII }
        #expect(
            hasChinese || !hasWords
                || isLatin
                    && (Self.same.contains(entry.name) || entry.chinese.hasPrefix("{")
                        || entry.chinese.hasSuffix("Key")),
            "\(entry.chinese)")
    }
}
