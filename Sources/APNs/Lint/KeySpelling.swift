/// Finds the key a misspelt one was meant to be.
enum KeySpelling {
    /// The longest key that is compared, in bytes; no known key is half as long.
    private static let byteCountMax = 48

    /// The known key that differs only in case, hyphens, underscores and blanks.
    static func variant(of key: String, among known: [String]) -> String? {
        guard key.utf8.count <= byteCountMax else { return nil }
        let folded = fold(key)
        return known.first { $0 != key && fold($0) == folded }
    }

    /// The known key that differs in one or two letters, or only in case and separators.
    static func nearest(to key: String, among known: [String]) -> String? {
        if let variant = variant(of: key, among: known) { return variant }
        guard key.utf8.count <= byteCountMax else { return nil }
        let folded = fold(key)
        var best: (key: String, distance: Int)?
        for candidate in known where candidate != key {
            let allowed = candidate.utf8.count < 6 ? 1 : 2
            let distance = distance(folded, fold(candidate))
            if distance <= allowed, distance < best?.distance ?? .max { best = (candidate, distance) }
        }
        return best?.key
    }

    private static func fold(_ key: String) -> [UInt8] {
        key.lowercased().utf8.filter { $0 != 0x2d && $0 != 0x5f && $0 != 0x20 && $0 != 0x2e }
    }

    /// How many letters are to be added, dropped, replaced or swapped with their neighbour.
    private static func distance(_ one: [UInt8], _ other: [UInt8]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...other.count)
        for row in one.indices {
            var current = [row + 1]
            for column in other.indices {
                let isSame = one[row] == other[column]
                var cost = min(last[column + 1] + 1, current[column] + 1, last[column] + (isSame ? 0 : 1))
                if row > 0, column > 0, one[row] == other[column - 1], one[row - 1] == other[column] {
                    cost = min(cost, beforeLast[column - 1] + 1)
                }
                current.append(cost)
            }
            beforeLast = last
            last = current
        }
        return last[other.count]
    }
}
