internal import APNs
internal import Synchronization

/// What all connections of a gateway share; callable from any thread.
final class GatewayState: Sendable {
    /// The rules where Apple leaves room.
    let policy: GatewayPolicy
    /// The provider tokens that are good.
    let verifier: ProviderTokenVerifier
    /// The faults somebody asked for.
    let faults: FaultInjector
    /// What happened.
    let journal: Journal
    /// Devices and channels.
    let hub: DeviceHub
    /// The bodies of refusals.
    let bodies: RejectionBodies

    private let seeds: Atomic<UInt64>

    /// Joins the parts.
    ///
    /// - Parameters:
    ///   - policy: The rules where Apple leaves room.
    ///   - verifier: The provider tokens that are good.
    ///   - faults: The faults somebody asks for.
    ///   - journal: Where requests are written down.
    ///   - hub: Devices and channels.
    ///   - seed: Decides the identifiers that connections make up.
    init(
        policy: GatewayPolicy, verifier: ProviderTokenVerifier, faults: FaultInjector, journal: Journal,
        hub: DeviceHub, seed: UInt64
    ) {
        self.policy = policy
        self.verifier = verifier
        self.faults = faults
        self.journal = journal
        self.hub = hub
        bodies = RejectionBodies(policy: policy)
        seeds = Atomic(seed)
    }

    /// A seed that no other connection got.
    func nextSeed() -> UInt64 {
        seeds.wrappingAdd(0x9e37_79b9_7f4a_7c15, ordering: .relaxed).newValue
    }
}
