public import APNs
public import Crypto

/// A signing key the gateway knows: the public half of a provider's .p8 file and what it may be used for.
///
/// Scopes from Apple: Establishing a token-based connection to APNs.
public final class ProviderKey: Sendable {
    /// The identifier in the token's header (kid); Apple's have ten characters.
    public let keyID: String
    /// The team in the token's claims (iss); Apple's have ten characters.
    public let teamID: String
    /// What the key may push to.
    public let scope: Scope
    /// The services the key is for; keys made before February 2025 serve both.
    public let environments: Set<Environment>

    /// Checks a signature, raw or DER; nil for a key an open gateway made up.
    private let check: (@Sendable (_ signature: [UInt8], _ message: UnsafeRawBufferPointer) -> Bool)?

    /// What a key may push to.
    public enum Scope: Hashable, Sendable {
        /// Every topic of the team.
        case team
        /// The named bundle identifiers and topics only. A related key may be used in turn with this one on
        /// one connection.
        case topics(Set<String>, relatedKeyID: String? = nil)
    }

    /// Makes a known key.
    public convenience init(
        keyID: String, teamID: String, verifyingKey: VerifyingKey, scope: Scope = .team,
        environments: Set<Environment> = Set(Environment.allCases)
    ) {
        self.init(keyID: keyID, teamID: teamID, scope: scope, environments: environments) {
            signature, message in
            signature.withUnsafeBytes { verifyingKey.isValid(signature: $0, for: message) }
        }
    }

    package init(
        keyID: String, teamID: String, scope: Scope = .team,
        environments: Set<Environment> = Set(Environment.allCases),
        check: (@Sendable (_ signature: [UInt8], _ message: UnsafeRawBufferPointer) -> Bool)?
    ) {
        self.keyID = keyID
        self.teamID = teamID
        self.scope = scope
        self.environments = environments
        self.check = check
    }

    /// Whether a signature fits; always, for a key an open gateway made up.
    func accepts(signature: [UInt8], for message: UnsafeRawBufferPointer) -> Bool {
        check?(signature, message) ?? true
    }

    /// Whether the key may push to a topic.
    package func covers(_ topic: Topic) -> Bool {
        guard case .topics(let names, _) = scope else { return true }
        return names.contains(topic.rawValue) || names.contains(topic.bundleID)
    }

    /// Whether a connection bound to a key takes this one too.
    ///
    /// A connection bound by a team's key takes that team's other team keys. One bound by a topic key takes
    /// that key and its related key.
    func isUsable(afterBindingTo first: ProviderKey) -> Bool {
        if keyID == first.keyID { return true }
        switch (first.scope, scope) {
        case (.team, .team): return true
        case (.topics(_, let related), .topics(_, let ownRelated)):
            return related == keyID || ownRelated == first.keyID
        case (.team, .topics), (.topics, .team): return false
        }
    }

    /// The name under which new tokens are counted: the team, or the key where it has a related one.
    var updateGroup: String {
        guard case .topics(_, .some) = scope else { return teamID }
        return teamID + "/" + keyID
    }
}
