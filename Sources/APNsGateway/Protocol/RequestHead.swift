/// The header fields of one request that the gateway heeds, as slices of the bytes that arrived.
///
/// One pass, no allocation, no text. A head is valid as long as the bytes it was made from.
package struct RequestHead {
    /// The method of the request.
    package private(set) var method = Method.other
    /// The value of :path; empty when absent.
    package private(set) var path = UnsafeRawBufferPointer.none
    /// The value of authorization; empty when absent.
    package private(set) var authorization = UnsafeRawBufferPointer.none
    /// The value of apns-id; empty when absent.
    package private(set) var id = UnsafeRawBufferPointer.none
    /// The value of apns-expiration; empty when absent.
    package private(set) var expiration = UnsafeRawBufferPointer.none
    /// The value of apns-priority; empty when absent.
    package private(set) var priority = UnsafeRawBufferPointer.none
    /// The value of apns-topic; empty when absent.
    package private(set) var topic = UnsafeRawBufferPointer.none
    /// The value of apns-collapse-id; empty when absent.
    package private(set) var collapseID = UnsafeRawBufferPointer.none
    /// The value of apns-push-type; empty when absent.
    package private(set) var pushType = UnsafeRawBufferPointer.none
    /// The value of apns-channel-id; empty when absent.
    package private(set) var channelID = UnsafeRawBufferPointer.none
    /// The value of apns-request-id; empty when absent.
    package private(set) var requestID = UnsafeRawBufferPointer.none
    /// Whether a header that the gateway knows came more than once.
    package private(set) var repeatsKnownHeader = false
    /// Whether a header that the gateway does not know came more than once.
    package private(set) var repeatsUnknownHeader = false

    private var seen: UInt32 = 0
    // Hashes of the first names that are not known; a slot is free while it is 0.
    private var unknownNames = SIMD8<UInt64>(repeating: 0)
    private var unknownNameCount = 0

    /// The methods APNs uses.
    package enum Method: Sendable {
        case post
        case get
        case delete
        case other
    }

    /// Makes a head without fields.
    package init() {}

    /// Takes in all fields of a request.
    package init(_ fields: borrowing some HeaderFieldSource) {
        fields.forEachField { name, value in add(name: name, value: value) }
    }

    /// Whether a header came at least once.
    package func has(_ field: RequestField) -> Bool { seen & field.bit != 0 }

    /// Takes in one field; of a repeated one the first value stays.
    package mutating func add(name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) {
        guard let field = RequestField(name: name) else {
            addUnknown(name)
            return
        }
        if seen & field.bit != 0 {
            repeatsKnownHeader = repeatsKnownHeader || field != .cookie
            return
        }
        seen |= field.bit
        switch field {
        case .method: method = RequestHead.method(value)
        case .path: path = value
        case .authorization: authorization = value
        case .id: id = value
        case .expiration: expiration = value
        case .priority: priority = value
        case .topic: topic = value
        case .collapseID: collapseID = value
        case .pushType: pushType = value
        case .channelID: channelID = value
        case .requestID: requestID = value
        case .scheme, .authority, .host, .contentLength, .contentType, .userAgent, .accept, .acceptEncoding,
            .cookie:
            break
        }
    }

    private mutating func addUnknown(_ name: UnsafeRawBufferPointer) {
        // FNV-1a; two different names with one hash would need a sender who wants to be refused.
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in name { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
        hash |= 1
        if any(unknownNames .== hash) {
            repeatsUnknownHeader = true
        } else if unknownNameCount < unknownNames.scalarCount {
            unknownNames[unknownNameCount] = hash
            unknownNameCount += 1
        }
    }

    private static func method(_ value: UnsafeRawBufferPointer) -> Method {
        if value.holds("POST") { return .post }
        if value.holds("GET") { return .get }
        if value.holds("DELETE") { return .delete }
        return .other
    }
}

extension UnsafeRawBufferPointer {
    /// No bytes.
    static var none: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: nil, count: 0) }
}
