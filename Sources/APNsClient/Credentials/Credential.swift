public import Crypto

/// What a client shows APNs to prove who sends.
public enum Credential: Sendable {
    /// A signing key; one source may serve any number of clients and then renews once for all of them.
    case token(ProviderTokenSource)
    /// A provider certificate with its private key.
    case certificate(Identity)
}
