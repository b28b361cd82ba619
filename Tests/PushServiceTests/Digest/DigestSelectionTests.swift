internal import APNs
internal import Testing

@testable internal import PushService

struct DigestSelectionTests {
    private let digest: Digest

    init() throws {
        digest = try Digest(
            JSONValue(
                parsing: """
                    {"articles": [
                        {"id": "budget", "tags": ["politics"]},
                        {"id": "final", "tags": {"sports": 2, "tennis": 1}},
                        {"id": "doping", "tags": ["sports", "politics"]},
                        {"id": "weather"}
                    ]}
                    """))
    }

    private func best(_ interests: [String: Double], seen: Set<Int> = []) -> String? {
        var selection = DigestSelection(digest)
        let known = interests.compactMap { interest in
            selection.tags.firstIndex(of: interest.key).map { (tag: $0, value: interest.value) }
        }
        return selection.best(interests: known, seen: seen).map { digest.articles[$0].id }
    }

    @Test func `each reader gets the article closest to what they read`() {
        #expect(best(["sports": 0.6]) == "final")
        #expect(best(["politics": 0.5]) == "budget")
        #expect(best(["politics": 0.5, "sports": 0.3]) == "doping")
    }

    @Test func `the editor's order decides between equals and for readers nothing is known of`() {
        #expect(best([:]) == "budget")
        #expect(best(["cooking": 1]) == "budget")
        #expect(best(["politics": 0.5], seen: [0]) == "doping")
    }

    @Test func `a seen article is not offered again and one who has seen all gets none`() {
        #expect(best(["sports": 0.6], seen: [1]) == "doping")
        #expect(best(["sports": 0.6], seen: [1, 2]) == "budget")
        #expect(best([:], seen: [0, 1, 2]) == "weather")
        #expect(best([:], seen: [0, 1, 2, 3]) == nil)
    }

    @Test func `asking for one device leaves nothing behind for the next`() {
        var selection = DigestSelection(digest)
        let sports = selection.tags.firstIndex(of: "sports")
        for _ in 0..<3 {
            #expect(selection.best(interests: sports.map { [($0, 1)] } ?? [], seen: []) == 1)
            #expect(selection.best(interests: [], seen: []) == 0)
        }
    }

    @Test(arguments: [
        #"[]"#, #"{}"#, #"{"articles": []}"#, #"{"articles": [1]}"#, #"{"articles": [{}]}"#,
        #"{"articles": [{"id": ""}]}"#, #"{"articles": [{"id": "a"}, {"id": "a"}]}"#,
        #"{"articles": [{"id": "a", "tags": "sports"}]}"#, #"{"articles": [{"id": "a", "tags": [1]}]}"#,
        #"{"articles": [{"id": "a", "tags": {"x": 0}}]}"#,
        #"{"articles": [{"id": "a", "tags": {"x": 1e9}}]}"#,
        #"{"articles": [{"id": "a", "tags": ["a.b"]}]}"#, #"{"articles": [{"id": "a", "tags": [""]}]}"#,
        #"{"articles": [{"id": "a", "data": 1}]}"#,
    ])
    func `a digest that is none is refused with the place`(text: String) throws {
        let json = try JSONValue(parsing: text)
        let error = #expect(throws: (any Error).self) { try Digest(json) }
        #expect("\(error.map { "\($0)" } ?? "")".contains("digest"))
    }

    @Test func `more articles than allowed are refused`() throws {
        let articles = (0...Digest.articleCountMax).map { JSONValue.object(["id": .string("\($0)")]) }
        #expect(throws: (any Error).self) { try Digest(.object(["articles": .array(articles)])) }
        #expect(throws: Never.self) {
            try Digest(.object(["articles": .array(Array(articles.dropLast()))]))
        }
    }
}
