import APNs
import PushStore
import Recurrence

@testable import PushService

/// What must hold for any `data` of a push and any attributes of a device.
///
/// The tests of this folder call them with mutated input, the fuzz target with what libFuzzer makes up. Each gives
/// a sentence about what does not hold, or nil.
enum MessageInvariants {
    /// Values that would break out of a string, or out of the size, if anything could.
    private static let attributes: [String: JSONValue] = [
        "name": "Ann", "age": 42, "tags": ["a", 1, ""], "address": ["city": "Köln", "lines": ["x"]],
        "evil": "\"},\"aps\":{\"badge\":9,\"x\":\"\\\n\u{0}{{name}}", "a": "{{a}}", "b": .number(1e21),
        "long": .string(String(repeating: "🇨🇳e\u{301}", count: 1000)),
    ]

    /// Text that is JSON: the data itself, or `{"data": …, "attributes": …, "locale": …}`.
    static func message(_ text: [UInt8]) -> String? {
        guard let json = try? JSONValue(parsing: text) else { return nil }
        var attributes = attributes
        if case .object(let own)? = json["attributes"] { attributes.merge(own) { _, new in new } }
        var locale: String?
        if case .string(let tag)? = json["locale"] { locale = tag }
        do {
            let message = try Message(data: json["data"] ?? json)
            let context = MessageContext(
                topic: try Topic("com.example.news"), collapseID: try CollapseID("belfry"),
                sentAt: Instant(secondsSince1970: 1_800_000_000))
            let composer = try MessageComposer(message, context: context)
            _ = try composer.broadcast()
            let isShort = text.count <= 240
            if isShort { attributes["long"] = nil }
            return check(composer, attributes, locale, isShort: isShort)
        } catch let error as ChangeError {
            return check(error)
        } catch {
            return "\(error) was thrown"
        }
    }

    private static func check(_ error: ChangeError) -> String? {
        guard [1, 107, 111, 116].contains(error.code) else { return "an error has the code \(error.code)" }
        guard (1..<2000).contains(error.message.utf8.count) else {
            return "an error's sentence has \(error.message.utf8.count) bytes"
        }
        return error.message.unicodeScalars.contains { $0.value < 0x20 }
            ? "an error has control characters" : nil
    }

    private static func check(
        _ composer: MessageComposer, _ attributes: [String: JSONValue], _ locale: String?, isShort: Bool
    ) -> String? {
        for variant in composer.report(now: 1_800_000_000).variants {
            guard (try? JSONValue(parsing: variant.payload)) != nil else { return "a variant is no JSON" }
        }
        for type in ["ios", "macos", "watchos", "unknown"] {
            let plain = device(type, locale, [:])
            let full = device(type, locale, attributes)
            guard let first = payload(composer, plain), let second = payload(composer, full) else { continue }
            guard let one = try? JSONValue(parsing: first.text),
                let other = try? JSONValue(parsing: second.text)
            else { return "a payload is no JSON" }
            for composed in [first, second] where composed.text.count > composed.limit {
                return "a payload has \(composed.text.count) bytes"
            }
            guard shape(one, isShort: isShort) == shape(other, isShort: isShort) else {
                return "a device's values change what is not theirs"
            }
            if !composer.needsAttributes, composer.needsLocale == false, one != other {
                return "attributes show that were not asked for"
            }
        }
        return nil
    }

    private static func device(
        _ type: String, _ locale: String?, _ attributes: [String: JSONValue]
    ) -> SendableInstallation {
        SendableInstallation(
            number: 1, objectID: "5f9d6a1e2b3c4d5e6f708192", deviceToken: String(repeating: "ab", count: 32),
            deviceType: type, locale: locale, timeZone: "Asia/Shanghai", attributes: attributes)
    }

    private static func payload(
        _ composer: MessageComposer, _ device: SendableInstallation
    ) -> (text: [UInt8], limit: Int)? {
        var composer = composer
        guard case .composed(let composed) = composer.compose(for: device, badge: 7) else { return nil }
        return (composed.payload, composed.pushType.payloadByteCountMax)
    }

    /// A payload with all its texts emptied: what no variable may change.
    ///
    /// Keys that devices do not know may be dropped from alert and sound where a body is cut.
    private static func shape(_ payload: JSONValue, isShort: Bool) -> JSONValue {
        guard !isShort, case .object(var members) = payload, case .object(var aps)? = members["aps"] else {
            return shape(payload)
        }
        aps["alert"] = nil
        aps["sound"] = nil
        members["aps"] = .object(aps)
        return shape(.object(members))
    }

    private static func shape(_ value: JSONValue) -> JSONValue {
        switch value {
        case .string: ""
        case .array(let items): .array(items.map(shape))
        case .object(let members): .object(members.mapValues(shape))
        default: value
        }
    }
}
