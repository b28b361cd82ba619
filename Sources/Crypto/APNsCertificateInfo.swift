/// What a certificate says about the pushes it may send.
///
/// Apple: Establishing a certificate-based connection to APNs.
public struct APNsCertificateInfo: Sendable, Hashable {
    /// Whether it is valid for the sandbox (extension 1.2.840.113635.100.6.3.1).
    public var isDevelopment: Bool
    /// Whether it is valid for production (extension 1.2.840.113635.100.6.3.2).
    public var isProduction: Bool
    /// The app's bundle id: the subject's UID, or what follows the colon of its common name.
    public var bundleID: String?
    /// Every topic it may use: those listed in the extensions (.6.3.6 and .6.3.4), or else the bundle id.
    public var topics: [String]
    /// Whether the topics come from a list (.6.3.6), so that a request has to name its topic.
    public var hasTopicList: Bool

    /// Whether this is a certificate of Apple's push services, or one made like it.
    public var isAPNsCertificate: Bool { isDevelopment || isProduction || hasTopicList }

    enum ObjectIdentifier {
        static let development = "1.2.840.113635.100.6.3.1"
        static let production = "1.2.840.113635.100.6.3.2"
        static let voipTopics = "1.2.840.113635.100.6.3.4"
        static let topics = "1.2.840.113635.100.6.3.6"
    }
}

extension Certificate {
    /// What the certificate says about the pushes it may send.
    public var apns: APNsCertificateInfo {
        typealias ObjectIdentifier = APNsCertificateInfo.ObjectIdentifier
        let list = extensionContent(ObjectIdentifier.topics)
        var topics = list.map(Certificate.topics) ?? []
        for topic in extensionContent(ObjectIdentifier.voipTopics).map(Certificate.topics) ?? []
        where !topics.contains(topic) {
            topics.append(topic)
        }
        let bundleID = subjectUserID ?? subjectCommonName.flatMap(Certificate.bundleID)
        if topics.isEmpty, let bundleID { topics = [bundleID] }
        return APNsCertificateInfo(
            isDevelopment: extensionContent(ObjectIdentifier.development) != nil,
            isProduction: extensionContent(ObjectIdentifier.production) != nil,
            bundleID: bundleID, topics: topics, hasTopicList: list != nil)
    }

    /// `Apple Push Services: com.example.app` and its older variants.
    private static func bundleID(inCommonName name: String) -> String? {
        guard name.hasPrefix("Apple "), let colon = name.firstRange(of: ": ") else { return nil }
        return String(name[colon.upperBound...])
    }

    /// A sequence in which each topic is followed by the sequence of its kinds, or a single topic.
    private static func topics(inExtension content: [UInt8]) -> [String] {
        var outer = DERReader(content)
        guard let element = outer.next() else { return [] }
        if let topic = element.text { return [topic] }
        guard element.tag == DERWriter.Tag.sequence else { return [] }
        var result: [String] = []
        var elements = element.reader
        while let element = elements.next() {
            if let topic = element.text { result.append(topic) }
        }
        return result
    }
}

extension CertificateAuthority {
    /// Issues a client certificate like those of Apple's push services, with a new key.
    ///
    /// - Parameters:
    ///   - bundleID: The app; becomes UID and part of the common name.
    ///   - isDevelopment: Whether the sandbox accepts it.
    ///   - isProduction: Whether production accepts it.
    ///   - topics: The list of topics, for a certificate of many topics; nil for one of the bundle id alone.
    ///   - validity: When it is valid.
    /// - Throws: ``CryptoError/Code/invalidArgument`` for an unusable name or period.
    public func issueAPNsIdentity(
        bundleID: String, isDevelopment: Bool, isProduction: Bool, topics: [String]? = nil,
        validity: CertificateValidity
    ) throws(CryptoError) -> Identity {
        typealias ObjectIdentifier = APNsCertificateInfo.ObjectIdentifier
        let service = isProduction ? "Apple Push Services" : "Apple Development IOS Push Services"
        // A common name has at most 64 characters; the whole bundle id is in the UID.
        let commonName = String("\(service): \(bundleID)".prefix(64))
        var builder = CertificateBuilder(
            subject: [(.userID, bundleID), (.commonName, commonName)], validity: validity)
        builder.addBasicConstraints(isAuthority: false)
        builder.addKeyUsage([.digitalSignature])
        builder.addExtendedKeyUsage(.clientAuthentication)
        let null = DERWriter.encode { $0.element(DERWriter.Tag.null, []) }
        if isDevelopment { builder.addExtension(ObjectIdentifier.development, content: null) }
        if isProduction { builder.addExtension(ObjectIdentifier.production, content: null) }
        if let topics {
            builder.addExtension(ObjectIdentifier.topics, content: CertificateAuthority.encode(topics))
        }
        return try issue(builder)
    }

    private static func encode(_ topics: [String]) -> [UInt8] {
        DERWriter.encode { writer in
            writer.element(DERWriter.Tag.sequence) { sequence in
                for topic in topics {
                    sequence.text(DERWriter.Tag.utf8String, topic)
                    sequence.element(DERWriter.Tag.sequence) { kinds in
                        kinds.text(DERWriter.Tag.utf8String, kind(of: topic))
                    }
                }
            }
        }
    }

    private static func kind(of topic: String) -> String {
        if topic.hasSuffix(".voip") { return "voip" }
        if topic.hasSuffix(".complication") { return "complication" }
        return "app"
    }
}
