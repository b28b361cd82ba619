import APNs
import PushStore
import Recurrence

@testable import PushService

/// Messages and devices in few words.
enum MessageFixture {
    /// 2027-01-15T08:00:00Z.
    static let sentAt = Instant(secondsSince1970: 1_800_000_000)

    static func context(
        topic: String = "com.example.news", override: String? = nil, language: String? = nil,
        expiration: Expiration = .unspecified, collapseID: String? = nil
    ) throws -> MessageContext {
        MessageContext(
            topic: try Topic(topic), topicOverride: try override.map { try Topic($0) },
            defaultLanguage: language, expiration: expiration,
            collapseID: try collapseID.map { try CollapseID($0) }, sentAt: sentAt)
    }

    static func composer(_ json: String, _ context: MessageContext? = nil) throws -> MessageComposer {
        let message = try Message(data: try JSONValue(parsing: json))
        return try MessageComposer(message, context: try context ?? Self.context())
    }

    static func device(
        type: String? = "ios", topic: String? = nil, locale: String? = nil,
        _ attributes: [String: JSONValue] = [:]
    ) -> SendableInstallation {
        SendableInstallation(
            number: 1, objectID: "5f9d6a1e2b3c4d5e6f708192", deviceToken: String(repeating: "ab", count: 32),
            deviceType: type, apnsTopic: topic, locale: locale, timeZone: "Asia/Shanghai",
            attributes: attributes)
    }

    /// What one device is sent.
    static func composed(
        _ json: String, _ device: SendableInstallation = device(), badge: Int64 = 0,
        context: MessageContext? = nil
    ) throws -> ComposedMessage {
        var composer = try composer(json, context)
        guard case .composed(let composed) = composer.compose(for: device, badge: badge) else {
            throw StoreError(.invalid, "not composed: \(composer.compose(for: device, badge: badge))")
        }
        return composed
    }

    /// The payload one device is sent, as text.
    static func payload(
        _ json: String, _ device: SendableInstallation = device(), badge: Int64 = 0,
        context: MessageContext? = nil
    ) throws -> String {
        let bytes = try composed(json, device, badge: badge, context: context).payload
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Why a request is refused.
    static func refusal(_ json: String) throws -> ChangeError? {
        let data = try JSONValue(parsing: json)
        do throws(ChangeError) {
            _ = try MessageComposer(try Message(data: data), context: context_)
            return nil
        } catch {
            return error
        }
    }

    private static var context_: MessageContext {
        MessageContext(topic: topic, sentAt: sentAt)
    }

    private static let topic: Topic = {
        guard let topic = try? Topic("com.example.news") else { preconditionFailure("a valid topic") }
        return topic
    }()
}
