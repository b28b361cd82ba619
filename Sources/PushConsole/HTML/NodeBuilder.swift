/// Puts pieces of pages together: elements, texts, conditions and loops.
@resultBuilder
enum NodeBuilder {
    static func buildExpression(_ node: Node) -> [Node] { [node] }
    static func buildExpression(_ nodes: [Node]) -> [Node] { nodes }
    static func buildExpression(_ text: String) -> [Node] { [.text(text)] }
    static func buildBlock(_ parts: [Node]...) -> [Node] { parts.flatMap(\.self) }
    static func buildOptional(_ nodes: [Node]?) -> [Node] { nodes ?? [] }
    static func buildEither(first nodes: [Node]) -> [Node] { nodes }
    static func buildEither(second nodes: [Node]) -> [Node] { nodes }
    static func buildArray(_ parts: [[Node]]) -> [Node] { parts.flatMap(\.self) }
}

/// What stands between an element's tags.
typealias Content = () -> [Node]
