/// Finds the word that someone probably meant.
enum Suggestion {
    /// The candidate nearest to a word, if it is near enough to be a slip: at most a third of its letters wrong.
    static func nearest(to word: String, among candidates: [String]) -> String? {
        // Nobody types a name this long; the distance is quadratic.
        guard word.count <= 64 else { return nil }
        let scored = candidates.map { (name: $0, distance: distance(word, $0)) }
        guard let best = scored.min(by: { $0.distance < $1.distance }) else { return nil }
        let allowed = max(1, max(word.count, best.name.count) / 3)
        if best.distance <= allowed { return best.name }
        // An abbreviation that only one candidate starts with.
        let longer = candidates.filter { $0.hasPrefix(word) }
        return longer.count == 1 && !word.isEmpty ? longer[0] : nil
    }

    /// "; did you mean X?", or nothing.
    static func clause(for word: String, among candidates: [String], prefix: String = "") -> String {
        nearest(to: word, among: candidates).map { "; did you mean \(prefix)\($0)?" } ?? ""
    }

    /// How many letters to insert, delete, replace or swap with their neighbour to get from one word to the other.
    static func distance(_ first: String, _ second: String) -> Int {
        let a = Array(first.utf8)
        let b = Array(second.utf8)
        var beforeLast: [Int] = []
        var last = Array(0...b.count)
        for i in 0..<a.count {
            var row = [i + 1]
            for j in 0..<b.count {
                var cost = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
                    cost = min(cost, beforeLast[j - 1] + 1)
                }
                row.append(cost)
            }
            beforeLast = last
            last = row
        }
        return last[b.count]
    }
}
