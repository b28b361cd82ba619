/// An HTTP/2 error code (RFC 9113 §7): an open set.
public struct HTTP2ErrorCode: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The code as it is on the wire.
    public let rawValue: UInt32

    /// Takes a code, known or not.
    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// Graceful end.
    public static let noError = HTTP2ErrorCode(rawValue: 0x0)
    /// The peer broke the protocol.
    public static let protocolError = HTTP2ErrorCode(rawValue: 0x1)
    /// A fault of the sender's own.
    public static let internalError = HTTP2ErrorCode(rawValue: 0x2)
    /// Flow-control limits were exceeded.
    public static let flowControlError = HTTP2ErrorCode(rawValue: 0x3)
    /// SETTINGS were not acknowledged in time.
    public static let settingsTimeout = HTTP2ErrorCode(rawValue: 0x4)
    /// A frame came for a stream that is closed.
    public static let streamClosed = HTTP2ErrorCode(rawValue: 0x5)
    /// A frame has a wrong size.
    public static let frameSizeError = HTTP2ErrorCode(rawValue: 0x6)
    /// The stream was not processed: safe to replay.
    public static let refusedStream = HTTP2ErrorCode(rawValue: 0x7)
    /// The stream is no longer wanted.
    public static let cancel = HTTP2ErrorCode(rawValue: 0x8)
    /// The header compression state is lost.
    public static let compressionError = HTTP2ErrorCode(rawValue: 0x9)
    /// A CONNECT tunnel broke.
    public static let connectError = HTTP2ErrorCode(rawValue: 0xA)
    /// The peer loads this end too much.
    public static let enhanceYourCalm = HTTP2ErrorCode(rawValue: 0xB)
    /// TLS is too weak.
    public static let inadequateSecurity = HTTP2ErrorCode(rawValue: 0xC)
    /// HTTP/1.1 is wanted.
    public static let http11Required = HTTP2ErrorCode(rawValue: 0xD)

    private static let names = [
        "NO_ERROR", "PROTOCOL_ERROR", "INTERNAL_ERROR", "FLOW_CONTROL_ERROR", "SETTINGS_TIMEOUT",
        "STREAM_CLOSED", "FRAME_SIZE_ERROR", "REFUSED_STREAM", "CANCEL", "COMPRESSION_ERROR",
        "CONNECT_ERROR", "ENHANCE_YOUR_CALM", "INADEQUATE_SECURITY", "HTTP_1_1_REQUIRED",
    ]

    /// The name in RFC 9113, or the number.
    public var description: String {
        rawValue < UInt32(Self.names.count) ? Self.names[Int(rawValue)] : "0x\(String(rawValue, radix: 16))"
    }
}
