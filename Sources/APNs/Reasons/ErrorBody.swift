import FoundationEssentials

/// The JSON body of a refusal, which is also the debug data of GOAWAY.
///
/// From Apple: Handling notification responses from APNs.
public struct ErrorBody: Hashable, Sendable {
    /// The largest body that is read, in bytes; real ones have less than a hundred.
    public static let byteCountMax = 16_384

    /// Why the request was refused.
    public var reason: Reason
    /// With status 410: when APNs last found the token invalid, in milliseconds since 1970.
    public var timestampMilliseconds: Int64?

    /// Makes a body from its parts.
    public init(reason: Reason, timestampMilliseconds: Int64? = nil) {
        self.reason = reason
        self.timestampMilliseconds = timestampMilliseconds
    }

    /// Reads a body.
    ///
    /// - Returns: nil when it is empty, longer than `byteCountMax`, not JSON, or has no reason text. A
    ///   timestamp that is not a number is dropped.
    public init?(json body: UnsafeRawBufferPointer) {
        if let reason = ErrorBody.plainReason(body) {
            self.init(reason: reason)
            return
        }
        guard !body.isEmpty, body.count <= ErrorBody.byteCountMax,
            let fields = try? JSONDecoder().decode(Fields.self, from: Data(body))
        else { return nil }
        self.init(reason: Reason(fields.reason), timestampMilliseconds: fields.timestamp)
    }

    /// Reads a body; see the other initialiser.
    public init?(json body: [UInt8]) {
        guard let read = body.withUnsafeBytes({ ErrorBody(json: $0) }) else { return nil }
        self = read
    }

    /// The body as APNs writes it, without blanks.
    public var encoded: [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(96)
        output.append(contentsOf: Array(#"{"reason":"#.utf8))
        JSONText.append(reason.text, to: &output)
        if let timestampMilliseconds {
            output.append(contentsOf: Array(#","timestamp":"#.utf8))
            JSONText.append(timestampMilliseconds, to: &output)
        }
        output.append(0x7d)
        return output
    }

    private static let prefix = Array(#"{"reason":""#.utf8)

    /// The shape nearly every refusal has, recognised without the decoder: refusals come in floods.
    private static func plainReason(_ body: UnsafeRawBufferPointer) -> Reason? {
        let suffixCount = 2
        guard body.count > prefix.count + suffixCount, body.count < 64, body.starts(with: prefix),
            body[body.count - 2] == 0x22, body[body.count - 1] == 0x7d
        else { return nil }
        let text = UnsafeRawBufferPointer(rebasing: body[prefix.count..<body.count - suffixCount])
        return Reason(knownUTF8: text)
    }

    private struct Fields: Decodable {
        let reason: String
        let timestamp: Int64?

        private enum CodingKeys: CodingKey {
            case reason
            case timestamp
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            reason = try container.decode(String.self, forKey: .reason)
            timestamp = try? container.decode(Int64.self, forKey: .timestamp)
        }
    }
}
