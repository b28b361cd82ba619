package import APNs

/// What a client certificate lets a provider do.
///
/// From Apple: Establishing a certificate-based connection to APNs, and the extensions that Apple puts in
/// its certificates.
package final class CertificateCredential: Sendable {
    /// The services the certificate is for.
    package let environments: Set<Environment>
    /// The topics it lists; its own bundle identifier when it lists none.
    package let topics: Set<String>
    /// The topic of requests without apns-topic: the bundle identifier in the subject (UID).
    ///
    /// Nil when the certificate serves several topics and the header is mandatory.
    package let defaultTopic: Topic?
    /// The period of validity, in seconds since 1970.
    package let validSeconds: ClosedRange<Int64>

    let defaultTopicBytes: [UInt8]

    /// Makes a credential from what a certificate says.
    ///
    /// - Returns: nil when it names no topic: not a certificate for APNs, answered BadCertificate.
    package init?(
        userID: String?, topics listed: [String], environments: Set<Environment>,
        validSeconds: ClosedRange<Int64>
    ) {
        let topics = Set(listed.isEmpty ? [userID].compactMap { $0 } : listed)
        guard !topics.isEmpty else { return nil }
        self.topics = topics
        self.environments = environments
        self.validSeconds = validSeconds
        let only = topics.count == 1 ? (userID ?? topics.first) : nil
        defaultTopic = only.flatMap { try? Topic($0) }
        defaultTopicBytes = Array((defaultTopic?.rawValue ?? "").utf8)
    }

    /// Whether the certificate lists a topic.
    package func covers(_ topic: Topic) -> Bool { topics.contains(topic.rawValue) }

    /// Whether the certificate lists a topic of an app.
    package func covers(bundleID: String) -> Bool { topics.contains(bundleID) }

    /// Why the certificate cannot be used now and here; nil when it can.
    package func fault(in environment: Environment, nowSeconds: Int64) -> Reason? {
        guard validSeconds.contains(nowSeconds) else { return .badCertificate }
        return environments.contains(environment) ? nil : .badCertificateEnvironment
    }
}
