/// Finds the operation of a request.
struct APIRouter: Sendable {
    /// What a path and a method lead to.
    enum Match: Sendable {
        case operation(APIOperation, parameters: [String: String])
        /// The path is known, the method is not; with those that are.
        case methods([String])
        case nothing
    }

    private struct Row: Sendable {
        var operation: APIOperation
        var segments: [Substring]
    }

    private let rowsBySegmentCount: [Int: [Row]]

    init(_ operations: [APIOperation]) {
        let rows = operations.map { Row(operation: $0, segments: $0.segments) }
        rowsBySegmentCount = Dictionary(grouping: rows) { $0.segments.count }
    }

    /// Finds an operation; of two that match, the one without parameters.
    func match(method: String, segments: [String]) -> Match {
        // A slash at the end changes nothing.
        let segments = segments.last == "" ? segments.dropLast() : segments[...]
        let method = method == "HEAD" ? "GET" : method
        var best: (operation: APIOperation, parameters: [String: String])?
        var methods: Set<String> = []
        for row in rowsBySegmentCount[segments.count] ?? [] {
            guard let parameters = Self.parameters(row.segments, segments) else { continue }
            let operation = row.operation
            methods.insert(operation.method)
            guard operation.method == method else { continue }
            if let found = best, found.parameters.count <= parameters.count { continue }
            best = (operation, parameters)
        }
        if let best { return .operation(best.operation, parameters: best.parameters) }
        return methods.isEmpty ? .nothing : .methods(methods.sorted())
    }

    private static func parameters(
        _ patterns: [Substring], _ segments: ArraySlice<String>
    ) -> [String: String]? {
        var parameters: [String: String] = [:]
        for (pattern, segment) in zip(patterns, segments) {
            if pattern.first == ":" {
                guard !segment.isEmpty else { return nil }
                parameters[String(pattern.dropFirst())] = segment
            } else if pattern != segment {
                return nil
            }
        }
        return parameters
    }
}
