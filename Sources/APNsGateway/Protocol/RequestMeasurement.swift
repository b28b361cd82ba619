internal import APNs

/// Measures what one accepted push costs the gateway beside HTTP/2: head, verdict, connection, fault, journal.
///
/// It lives in this module because the generic parts are only fast where the compiler sees them whole, as it
/// does in the gateway's connections.
package struct RequestMeasurement {
    /// A directory that knows every token.
    private struct FullDirectory: TokenDirectory {
        func verdict(
            for token: DeviceToken, topic: Topic, environment: Environment, nowMilliseconds: Int64
        ) -> TokenVerdict { .accepted(device: 1) }
    }

    /// Fields in one piece of memory, as an HTTP/2 connection keeps them.
    private struct Fields: HeaderFieldSource {
        let bytes: UnsafeRawBufferPointer
        let ends: [(name: Int, value: Int)]

        func forEachField(_ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Void) {
            var start = 0
            for end in ends {
                body(
                    UnsafeRawBufferPointer(rebasing: bytes[start..<end.name]),
                    UnsafeRawBufferPointer(rebasing: bytes[end.name..<end.value]))
                start = end.value
            }
        }
    }

    private let bytes: [UInt8]
    private let ends: [(name: Int, value: Int)]
    private let validator: RequestValidator
    private let journal: Journal
    private let faults = FaultInjector(seed: 1)
    private var machine: ConnectionMachine
    private let nowMilliseconds: Int64

    /// Prepares a connection of an open gateway.
    ///
    /// - Parameters:
    ///   - fields: The header fields of the request to repeat.
    ///   - nowMilliseconds: The time of all requests, in milliseconds since 1970.
    package init(fields: [(name: String, value: String)], nowMilliseconds: Int64) {
        var bytes: [UInt8] = []
        var ends: [(name: Int, value: Int)] = []
        for field in fields {
            bytes += Array(field.name.utf8)
            let name = bytes.count
            bytes += Array(field.value.utf8)
            ends.append((name, bytes.count))
        }
        self.bytes = bytes
        self.ends = ends
        self.nowMilliseconds = nowMilliseconds
        let policy = GatewayPolicy()
        validator = RequestValidator(
            environment: .sandbox, policy: policy.requests, verifier: ProviderTokenVerifier(isOpen: true))
        machine = ConnectionMachine(
            credential: .providerToken, environment: .sandbox, policy: policy, seed: 1,
            nowMilliseconds: nowMilliseconds)
        journal = Journal(capacity: 10_000)
    }

    /// Processes the request a number of times.
    ///
    /// - Returns: How many were accepted.
    package mutating func run(count: Int) -> Int {
        let ends = ends
        return bytes.withUnsafeBytes { bytes in
            let fields = Fields(bytes: bytes, ends: ends)
            var acceptedCount = 0
            for _ in 0..<count where process(fields) { acceptedCount += 1 }
            return acceptedCount
        }
    }

    private mutating func process(_ fields: Fields) -> Bool {
        let head = RequestHead(fields)
        guard faults.draw() == nil else { return false }
        let verdict = validator.verdict(
            on: head, route: Route(path: head.path), body: .none, bodyByteCount: 200, connection: &machine,
            directory: FullDirectory(), nowMilliseconds: nowMilliseconds)
        _ = machine.completed(verdict.rejection, nowMilliseconds: nowMilliseconds)
        journal.append(
            JournalRecord(
                verdict, decision: .delivered, environment: .sandbox, connection: 1,
                timeMilliseconds: nowMilliseconds))
        return verdict.rejection == nil
    }
}
