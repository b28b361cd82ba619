/// One row of a ``Router``: a method, a path pattern, and what answers it.
public struct Route: Sendable {
    /// Answers a request whose path matched, with the values of the pattern's `:name` pieces.
    public typealias Handler = @Sendable (HTTPRequest, PathParameters) async -> HTTPResponse

    /// A piece of a pattern between two slashes.
    enum Segment: Sendable, Hashable {
        case literal(String)
        case parameter(String)
    }

    let method: String
    let pattern: String
    let segments: [Segment]
    let handler: Handler

    /// Makes a route.
    ///
    /// - Parameters:
    ///   - method: in upper case.
    ///   - pattern: a path such as `/devices/:id/notifications`. A piece that starts with a colon matches any
    ///     piece that is not empty; others match themselves. Each name occurs once.
    ///   - handler: answers.
    public init(_ method: String, _ pattern: String, _ handler: @escaping Handler) {
        precondition(pattern.hasPrefix("/"), "the pattern \(pattern) must start with a slash")
        self.method = method
        self.pattern = pattern
        self.handler = handler
        segments = RequestTarget.segments(of: pattern).map { segment in
            segment.hasPrefix(":") ? .parameter(String(segment.dropFirst())) : .literal(segment)
        }
        let names = segments.compactMap { segment -> String? in
            if case .parameter(let name) = segment { name } else { nil }
        }
        precondition(
            !names.contains("") && Set(names).count == names.count,
            "the parameters of the pattern \(pattern) need names of their own")
    }

    /// A route for GET, and for HEAD where no other route has it.
    public static func get(_ pattern: String, _ handler: @escaping Handler) -> Route {
        Route("GET", pattern, handler)
    }

    /// A route for POST.
    public static func post(_ pattern: String, _ handler: @escaping Handler) -> Route {
        Route("POST", pattern, handler)
    }

    /// A route for PUT.
    public static func put(_ pattern: String, _ handler: @escaping Handler) -> Route {
        Route("PUT", pattern, handler)
    }

    /// A route for PATCH.
    public static func patch(_ pattern: String, _ handler: @escaping Handler) -> Route {
        Route("PATCH", pattern, handler)
    }

    /// A route for DELETE.
    public static func delete(_ pattern: String, _ handler: @escaping Handler) -> Route {
        Route("DELETE", pattern, handler)
    }
}

/// The values a path had where its pattern had `:name`.
public struct PathParameters: Sendable, Hashable {
    private let values: [String: String]

    /// Makes parameters, for tests of handlers.
    public init(_ values: [String: String] = [:]) {
        self.values = values
    }

    /// The decoded value of a name of the route's pattern.
    ///
    /// A name that the pattern does not have is a mistake in the program.
    public subscript(name: String) -> String {
        guard let value = values[name] else {
            preconditionFailure("the route's pattern has no parameter :\(name)")
        }
        return value
    }
}
