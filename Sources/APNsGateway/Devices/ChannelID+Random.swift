package import APNs

extension ChannelID {
    /// The size of ids made here, in bytes before base64; Apple gives no size.
    package static let byteCount = 16

    /// Makes a random id.
    package static func random(using generator: inout some RandomNumberGenerator) -> ChannelID {
        let bytes = (0..<byteCount).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        guard let id = try? ChannelID(bytes: bytes) else {
            preconditionFailure("\(byteCount) bytes are a channel id's size")
        }
        return id
    }
}
