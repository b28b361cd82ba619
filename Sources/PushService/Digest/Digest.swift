public import APNs
public import PushStore

/// Articles of which each device gets the one that suits its reader best.
public struct Digest: Sendable, Hashable {
    /// More than an editor offers in one morning; one byte short of two says which one a device got.
    public static let articleCountMax = 500
    /// How many tags an article has at most.
    public static let tagCountMax = 32
    /// The longest id of an article, in bytes.
    public static let idByteCountMax = 64

    /// The articles in the editor's order, which decides between equals.
    public var articles: [DigestArticle]

    /// Reads `{"articles": [{"id", "tags": ["sports"] or {"sports": 2}, "data": {…}}]}`.
    ///
    /// - Throws: a ``ChangeError`` that names the place, what was found and what is allowed.
    public init(_ json: JSONValue) throws(ChangeError) {
        guard case .object(let members) = json, case .array(let items)? = members["articles"] else {
            throw ChangeError(code: 107, "digest: an object with the array 'articles' is needed")
        }
        guard (1...Digest.articleCountMax).contains(items.count) else {
            throw ChangeError(
                code: 1,
                "digest.articles: \(items.count) were found, 1 to \(Digest.articleCountMax) are allowed")
        }
        var articles: [DigestArticle] = []
        var ids: Set<String> = []
        for (index, item) in items.enumerated() {
            let article = try Digest.article(item, at: "digest.articles[\(index)]")
            guard ids.insert(article.id).inserted else {
                throw ChangeError(code: 1, "digest.articles[\(index)].id: another article has the same id")
            }
            articles.append(article)
        }
        self.articles = articles
    }

    private static func article(_ json: JSONValue, at path: String) throws(ChangeError) -> DigestArticle {
        guard case .object(let members) = json else {
            throw ChangeError(code: 107, "\(path): \(json.kind) was found, an object is needed")
        }
        guard case .string(let id)? = members["id"], (1...idByteCountMax).contains(id.utf8.count) else {
            throw ChangeError(code: 1, "\(path).id: a text of 1 to \(idByteCountMax) bytes is needed")
        }
        let data: [String: JSONValue]
        switch members["data"] {
        case nil: data = [:]
        case .object(let members)?: data = members
        case let other?:
            throw ChangeError(code: 107, "\(path).data: \(other.kind) was found, an object is needed")
        }
        return DigestArticle(
            id: id, tags: try ContentTags.read(members["tags"], at: "\(path).tags"), data: data)
    }
}
