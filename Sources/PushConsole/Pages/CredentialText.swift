internal import PushStore

/// What credentials are called on pages; never what they are made of.
enum CredentialText {
    static func name(_ credential: PushCredential, _ visit: Visit) -> String {
        switch credential.secret {
        case .key(_, let keyID, _): visit(.keyNamed, keyID)
        case .certificate: visit(.certificateNamed, credential.topics.first ?? "#\(credential.number)")
        }
    }
}
