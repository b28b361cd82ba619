/// Finds the handler of a request by method and path.
///
/// ```swift
/// let router = Router([
///     .get("/devices", list),
///     .post("/devices", create),
///     .get("/devices/:id", show),
/// ])
/// let server = HTTPServer { await router.respond(to: $0) }
/// ```
///
/// At each slash a literal piece is tried before a parameter, whatever the order of the routes. A path
/// without a route is answered 404, a path without the method 405 with `Allow`. HEAD is answered by GET's
/// route and OPTIONS with 204 and `Allow`, unless they have routes of their own.
public struct Router: Sendable {
    /// One piece of path in the tree of all patterns.
    private final class Node: Sendable {
        let literals: [String: Node]
        let parameter: Node?
        /// The routes that end here, by method.
        let routes: [String: Route]

        /// Builds the tree of routes whose first `depth` pieces lead here.
        init(routes: [Route], depth: Int) {
            var byLiteral: [String: [Route]] = [:]
            var byParameter: [Route] = []
            var ending: [String: Route] = [:]
            for route in routes {
                guard depth < route.segments.count else {
                    let earlier = ending.updateValue(route, forKey: route.method)
                    precondition(
                        earlier == nil, "two routes match \(route.method) \(route.pattern)")
                    continue
                }
                switch route.segments[depth] {
                case .literal(let text): byLiteral[text, default: []].append(route)
                case .parameter: byParameter.append(route)
                }
            }
            literals = byLiteral.mapValues { Node(routes: $0, depth: depth + 1) }
            parameter = byParameter.isEmpty ? nil : Node(routes: byParameter, depth: depth + 1)
            self.routes = ending
        }

        /// The nodes a path ends at, the most literal first.
        func matches(_ path: ArraySlice<String>) -> [Node] {
            guard let first = path.first else { return routes.isEmpty ? [] : [self] }
            let rest = path.dropFirst()
            let byLiteral = literals[first]?.matches(rest) ?? []
            return first.isEmpty ? byLiteral : byLiteral + (parameter?.matches(rest) ?? [])
        }
    }

    private let root: Node

    /// Makes a router.
    ///
    /// Two routes of one method that match the same paths are a mistake in the program.
    public init(_ routes: [Route]) {
        root = Node(routes: routes, depth: 0)
    }

    /// Answers a request by its route.
    public func respond(to request: HTTPRequest) async -> HTTPResponse {
        let nodes = request.path == "*" ? [] : root.matches(request.pathSegments[...])
        for method in request.method == "HEAD" ? ["HEAD", "GET"] : [request.method] {
            if let route = nodes.lazy.compactMap({ $0.routes[method] }).first {
                return await route.handler(request, parameters(of: route, in: request))
            }
        }
        guard !nodes.isEmpty else {
            return .error(404, "there is nothing at \(request.path)")
        }
        let allow = allowedMethods(nodes).joined(separator: ", ")
        if request.method == "OPTIONS" { return HTTPResponse(status: 204, headers: [("Allow", allow)]) }
        var response = HTTPResponse.error(
            405, "\(request.path) does not take \(request.method), only \(allow)")
        response.headers.append(("Allow", allow))
        return response
    }

    private func parameters(of route: Route, in request: HTTPRequest) -> PathParameters {
        var values: [String: String] = [:]
        for (segment, value) in zip(route.segments, request.pathSegments) {
            if case .parameter(let name) = segment { values[name] = value }
        }
        return PathParameters(values)
    }

    private func allowedMethods(_ nodes: [Node]) -> [String] {
        var methods = Set(nodes.flatMap(\.routes.keys))
        if methods.contains("GET") { methods.insert("HEAD") }
        methods.insert("OPTIONS")
        return methods.sorted()
    }
}
