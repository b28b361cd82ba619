public import APNs

/// What would be sent, and what is likely to go wrong with it: the part of a dry run that needs no audience.
public struct MessageReport: Sendable, Hashable {
    /// One payload: a platform's, in one language.
    public struct Variant: Sendable, Hashable {
        /// Where it stands in the request: `data`, or a block such as `data.macos`.
        public var path: String
        /// The language of its texts as BCP 47; nil for devices whose language has none.
        public var language: String?
        /// The push type.
        public var pushType: PushType
        /// The size without values of variables, in bytes.
        public var byteCount: Int
        /// The largest size APNs takes, in bytes.
        public var byteCountMax: Int
        /// The payload without values of variables.
        public var payload: [UInt8]
        /// The names of its variables, sorted.
        public var variables: [String]
    }

    /// The payloads, plain ones first.
    public var variants: [Variant]
    /// What was found: errors first, then by place.
    public var findings: [MessageFinding]
}

extension MessageComposer {
    /// Examines every payload and its headers.
    ///
    /// - Parameter now: the current time in seconds since 1970.
    public func report(now: Int64) -> MessageReport {
        var variants: [MessageReport.Variant] = []
        var found: [LintFinding: [String]] = [:]
        var findings: [MessageFinding] = []
        for platform in platforms {
            for variant in platform.variants {
                let payload = variant.template.renderedWithoutValues(badge: 1)
                let variables = variant.template.holes.compactMap { hole -> MessageVariable? in
                    if case .variable(let variable) = hole.content { variable } else { nil }
                }
                variants.append(
                    MessageReport.Variant(
                        path: platform.form.path, language: variant.language?.text,
                        pushType: platform.pushType,
                        byteCount: payload.count, byteCountMax: platform.payloadByteCountMax,
                        payload: payload,
                        variables: Set(variables.map(\.name)).sorted()))
                let headers = LintHeaders(
                    pushType: platform.pushType.rawValue, topic: platform.address.topic?.rawValue,
                    priority: platform.address.priority.map { String($0.rawValue) },
                    expiration: context.expiration.headerValue.map { String($0) },
                    collapseID: platform.collapseID?.rawValue)
                for finding in Lint.payload(payload, headers: headers, now: now) {
                    found[finding, default: []].append(variant.language?.text ?? "")
                }
            }
            findings += Self.findings(of: platform)
        }
        let variantCount = variants.count
        findings += found.map { finding, languages in
            MessageFinding(
                severity: finding.severity, rule: finding.rule.rawValue, keyPath: finding.keyPath,
                message: finding.message,
                languages: languages.count == variantCount
                    ? [] : Set(languages).filter { !$0.isEmpty }.sorted())
        }
        findings.sort { left, right in
            if left.severity != right.severity { return left.severity == .error }
            return (left.keyPath, left.rule, left.message) < (right.keyPath, right.rule, right.message)
        }
        return MessageReport(variants: variants, findings: findings)
    }

    /// What only the request shows, not the payload.
    private static func findings(of platform: Platform) -> [MessageFinding] {
        let form = platform.form
        var findings: [MessageFinding] = []
        func warn(_ rule: String, _ keyPath: String, _ message: String) {
            findings.append(
                MessageFinding(severity: .warning, rule: rule, keyPath: keyPath, message: message))
        }
        if form.priority != nil, form.priority != .normal, platform.pushType == .background {
            warn(
                "background-priority", "\(form.path).apns-priority",
                "a background notification is always sent with 5, which APNs demands: remove it, or write 5")
        }
        if !form.localized.isEmpty, form.alert.isEmpty, let last = form.lastResort {
            warn(
                "missing-default-text", "\(form.path).alert",
                "there is no text for other languages, who get that of \(last.text): add alert")
        }
        var seen: Set<MessageVariable> = []
        for case .variable(let variable) in platform.variants.flatMap(\.template.holes).map(\.content)
        where variable.fallback == nil && seen.insert(variable).inserted {
            warn(
                "variable-without-default", form.path,
                "{{\(variable.name)}} is empty where an installation has no \(variable.name): write"
                    + " {{\(variable.name)|…}}")
        }
        for text in form.unreadablePlaces {
            warn(
                "unreadable-variable", form.path,
                "\(text) names no field and is shown as it is: write letters, digits, _, - and dots")
        }
        return findings
    }
}

extension MessageForm {
    /// Places for variables that name no field, as they are written.
    fileprivate var unreadablePlaces: [String] {
        var places: [String] = []
        func collect(_ value: JSONValue) {
            switch value {
            case .string(let text): places += TextTemplate(text).unreadable
            case .array(let elements): elements.forEach(collect)
            case .object(let members): members.values.forEach(collect)
            case .null, .bool, .integer, .number: break
            }
        }
        alert.values.forEach(collect)
        localized.values.forEach { $0.values.forEach(collect) }
        custom.values.forEach(collect)
        return Set(places).sorted()
    }
}
