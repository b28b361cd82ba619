/// How a part of a text looks.
package struct TextStyle: Hashable, Sendable, Codable {
    /// Where it begins and how long it is, in UTF-16 units.
    package var start: Int
    package var count: Int
    package var isBold = false
    package var isItalic = false
    package var isUnderlined = false
    /// An address that the part leads to.
    package var link: String?

    package init(start: Int, count: Int) {
        self.start = start
        self.count = count
    }

    /// Whether it changes anything.
    package var isPlain: Bool { !isBold && !isItalic && !isUnderlined && link == nil }
}
