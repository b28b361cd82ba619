import Testing

@testable import belfry

@Suite struct SuggestionTests {
    @Test(arguments: [
        ("", "", 0), ("port", "port", 0), ("", "abc", 3), ("abc", "", 3), ("prot", "port", 1),
        ("kitten", "sitting", 3),
    ])
    func `the distance counts edits and swapped neighbours`(_ a: String, _ b: String, _ expected: Int) {
        #expect(Suggestion.distance(a, b) == expected)
        #expect(Suggestion.distance(b, a) == expected)
    }

    @Test(arguments: [
        ("gatway", "gateway"), ("puhs", "push"), ("versoin", "version"), ("comp", "completion"),
    ])
    func `a slip or an abbreviation finds its word`(_ word: String, _ expected: String) {
        let words = ["gateway", "push", "lint", "version", "completion"]
        #expect(Suggestion.nearest(to: word, among: words) == expected)
    }

    @Test func `a word that is like none finds none`() {
        #expect(Suggestion.nearest(to: "elephant", among: ["gateway", "push"]) == nil)
        #expect(Suggestion.nearest(to: "", among: ["gateway"]) == nil)
        #expect(Suggestion.nearest(to: "x", among: []) == nil)
        #expect(Suggestion.nearest(to: String(repeating: "x", count: 100_000), among: ["gateway"]) == nil)
    }
}
