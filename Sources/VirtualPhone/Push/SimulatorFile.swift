internal import APNs

/// An `.apns` file, as `xcrun simctl push` takes it: a payload that may name its app.
struct SimulatorFile: Sendable {
    /// The key that names the app.
    static let targetKey = "Simulator Target Bundle"
    /// simctl takes no larger files, in bytes.
    static let byteCountMax = 4_096

    let bundleIdentifier: String
    /// The payload without the app's name.
    let payload: [UInt8]

    /// Reads a file.
    ///
    /// - Parameter target: the app; nil for the one that the file names.
    init(_ text: [UInt8], target: String?) throws(PhoneError) {
        guard text.count <= Self.byteCountMax else {
            throw PhoneError(
                .push, "the push has \(text.count) bytes; allowed: at most \(Self.byteCountMax)")
        }
        let value: JSONValue
        do {
            value = try JSONValue(parsing: text)
        } catch {
            throw PhoneError(.push, "the push is not JSON: \(error.message)")
        }
        guard case .object(var members) = value else {
            throw PhoneError(.push, "the push is \(value.kind); allowed: a JSON object with the key aps")
        }
        switch members["aps"] {
        case .object: break
        case nil: throw PhoneError(.push, "the push has no key aps; without it no device takes it")
        case let found?: throw PhoneError(.push, "aps: found \(found.kind), allowed: an object")
        }
        let named = members.removeValue(forKey: Self.targetKey)
        if let target {
            bundleIdentifier = target
        } else if case .string(let text) = named {
            bundleIdentifier = text
        } else {
            throw PhoneError(
                .push,
                "the push names no app; name it with the push, or in the file as \"\(Self.targetKey)\": \"com.example.App\""
            )
        }
        do {
            payload = try JSONValue.object(members).encoded()
            // What a device would not understand is no push either.
            _ = try Payload(parsing: payload)
        } catch {
            throw PhoneError(.push, error.message)
        }
    }
}
