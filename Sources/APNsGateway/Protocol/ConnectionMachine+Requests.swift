package import APNs

extension ConnectionMachine {
    /// Makes an identifier for a response whose request brought none.
    package mutating func makeResponseID() -> ResponseID {
        ResponseID(generated: makeNotificationID())
    }

    /// Makes an identifier of random bits; like Apple's it is mostly no valid UUID by version and variant.
    package mutating func makeNotificationID() -> NotificationID {
        NotificationID(high: identifiers.next(), low: identifiers.next())
    }

    /// The place of a request's topic in the register; the certificate's own topic when the header is absent.
    ///
    /// - Returns: nil when the header is mandatory and absent or empty.
    @inline(__always)
    mutating func topicPlace(_ header: UnsafeRawBufferPointer) -> Int? {
        if !header.isEmpty { return topics.index(of: header) }
        guard case .certificate(let certificate) = credential, certificate.defaultTopic != nil else {
            return nil
        }
        return certificate.defaultTopicBytes.withUnsafeBytes { topics.index(of: $0) }
    }
}
