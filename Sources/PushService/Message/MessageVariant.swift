internal import APNs
internal import PushStore
internal import Recurrence

/// A message for one platform in one language, encoded as far as it is the same for all devices.
struct MessageVariant: Sendable {
    /// The language of its texts; nil when no device's language decided.
    let language: LanguageTag?
    /// The payload with its holes.
    let template: PayloadTemplate
    /// Whether even the widest badge leaves it within the limit, so that no device's has to be measured.
    let isAlwaysSmall: Bool

    /// The digits of the widest badge, with its sign.
    private static let badgeByteCountMax = 20

    /// Encodes a form.
    ///
    /// - Parameters:
    ///   - form: the platform's form.
    ///   - language: a language of the form's, or nil.
    ///   - context: gives the default language and the time.
    ///   - limit: the largest payload, in bytes.
    /// - Throws: code 1 for what cannot be encoded, 116 when it is larger than APNs takes whatever the devices' values.
    init(
        _ form: MessageForm, language: LanguageTag?, context: MessageContext, limit: Int
    ) throws(ChangeError) {
        self.language = language
        let available = form.languages
        var chain = language.map { $0.chain(among: available) } ?? []
        if let tag = context.defaultLanguage.flatMap({ LanguageTag($0) }) {
            chain += tag.chain(among: available).filter { !chain.contains($0) }
        }
        var aps = form.aps
        if form.needsTimestamp { aps["timestamp"] = .integer(context.sentAt.secondsSince1970) }
        do throws(APNsError) {
            template = try PayloadTemplate(
                aps: aps, alert: form.alert(for: chain), badge: form.badge, custom: form.custom)
        } catch {
            throw DataValue.invalid(form.path, error)
        }
        // A badge counts as one digit here; every other hole as what stands there without a value.
        let leastByteCount = template.renderedWithoutValues(badge: 0).count
        guard template.hasVariables || leastByteCount <= limit else {
            throw Self.tooLarge(form, language, leastByteCount, limit)
        }
        guard template.bytes.count <= limit else {
            throw Self.tooLarge(form, language, template.bytes.count, limit)
        }
        isAlwaysSmall =
            !template.hasVariables
            && template.bytes.count + Self.badgeByteCountMax * template.holes.count <= limit
    }

    private static func tooLarge(
        _ form: MessageForm, _ language: LanguageTag?, _ byteCount: Int, _ limit: Int
    ) -> ChangeError {
        let text = language.map { " in \($0.text)" } ?? ""
        return ChangeError(
            code: 116, "\(form.path): the payload\(text) has \(byteCount) bytes of JSON, APNs takes \(limit)")
    }
}
