/// The request headers that the gateway knows by name.
package enum RequestField: UInt8, Sendable {
    case method
    case scheme
    case path
    case authority
    case host
    case authorization
    case id
    case expiration
    case priority
    case topic
    case collapseID
    case pushType
    case channelID
    case requestID
    // Known only because most clients send them: cheaper than remembering them as unknown names.
    case contentLength
    case contentType
    case userAgent
    case accept
    case acceptEncoding
    /// May come in several fields in HTTP/2 (RFC 9113, section 8.2.3).
    case cookie

    /// Recognises a name as HTTP/2 carries it, in lower case.
    @inline(__always)
    init?(name: UnsafeRawBufferPointer) {
        switch name.count {
        case 4 where name.holds("host"): self = .host
        case 5 where name.holds(":path"): self = .path
        case 6 where name.holds("accept"): self = .accept
        case 6 where name.holds("cookie"): self = .cookie
        case 7 where name.holds("apns-id"): self = .id
        case 7 where name.holds(":method"): self = .method
        case 7 where name.holds(":scheme"): self = .scheme
        case 10 where name.holds("apns-topic"): self = .topic
        case 10 where name.holds(":authority"): self = .authority
        case 10 where name.holds("user-agent"): self = .userAgent
        case 12 where name.holds("content-type"): self = .contentType
        case 13 where name.holds("authorization"): self = .authorization
        case 13 where name.holds("apns-priority"): self = .priority
        case 14 where name.holds("apns-push-type"): self = .pushType
        case 14 where name.holds("content-length"): self = .contentLength
        case 15 where name.holds("apns-expiration"): self = .expiration
        case 15 where name.holds("accept-encoding"): self = .acceptEncoding
        case 15 where name.holds("apns-channel-id"): self = .channelID
        case 15 where name.holds("apns-request-id"): self = .requestID
        case 16 where name.holds("apns-collapse-id"): self = .collapseID
        default: return nil
        }
    }

    @inline(__always)
    var bit: UInt32 { 1 &<< UInt32(rawValue) }
}
