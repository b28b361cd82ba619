/// Chooses for each device the article that suits its reader best and that it has not seen.
///
/// Pure; prepared once for a push, then asked once for each device without allocating.
struct DigestSelection: Sendable {
    /// The tags of all articles, each once; interests are given by the index in here.
    let tags: [String]
    private let articleCount: Int
    /// For each tag the articles that have it, with their weights.
    private let articlesByTag: [[(article: Int, weight: Double)]]
    private var scores: [Double]

    init(_ digest: Digest) {
        var indices: [String: Int] = [:]
        var tags: [String] = []
        var articlesByTag: [[(article: Int, weight: Double)]] = []
        for (number, article) in digest.articles.enumerated() {
            for (tag, weight) in article.tags.sorted(by: { $0.key < $1.key }) {
                let index = indices[tag, default: tags.count]
                if index == tags.count {
                    indices[tag] = index
                    tags.append(tag)
                    articlesByTag.append([])
                }
                articlesByTag[index].append((number, weight))
            }
        }
        self.tags = tags
        self.articlesByTag = articlesByTag
        articleCount = digest.articles.count
        scores = Array(repeating: 0, count: digest.articles.count)
    }

    /// The best article: the most interest in its tags; between equals the editor's order.
    ///
    /// - Parameters:
    ///   - interests: values from 0 to 1 by index of ``tags``; missing ones are 0.
    ///   - seen: which articles the device has had.
    /// - Returns: the article's index, or nil when the device has seen them all.
    mutating func best(interests: [(tag: Int, value: Double)], seen: Set<Int>) -> Int? {
        for index in scores.indices { scores[index] = 0 }
        for interest in interests where interest.tag < articlesByTag.count {
            for entry in articlesByTag[interest.tag] {
                scores[entry.article] += entry.weight * interest.value
            }
        }
        var best: Int?
        for article in 0..<articleCount where seen.isEmpty || !seen.contains(article) {
            guard let current = best else {
                best = article
                continue
            }
            if scores[article] > scores[current] { best = article }
        }
        return best
    }
}
