/// How a gateway is set up.
public struct GatewayConfiguration: Sendable {
    /// Where keys, certificates and the state are kept; made when it does not exist.
    public var folder: String
    /// The address that is listened on; loopback unless others are to reach it.
    public var host = "127.0.0.1"
    /// The port of the production service; 0 lets the system choose, nil leaves the service out.
    public var productionPort: Int? = 2197
    /// The port of the sandbox; 0 lets the system choose, nil leaves the service out.
    public var sandboxPort: Int? = 2198
    /// The port of the control interface; 0 lets the system choose.
    public var controlPort: UInt16 = 8079
    /// More names and addresses for the server's certificate, beside localhost and the machine's own name.
    public var hostNames: [String] = []
    /// Accepts well-formed provider tokens of unknown keys, and tokens that no device has.
    public var isOpen = false
    /// Whether the clock can be put forward by the control interface.
    public var hasVirtualClock = false
    /// How many event loops serve providers.
    public var threadCount = 1
    /// The most connections of providers; above it they are closed as they come.
    public var connectionCountMax = 10_000
    /// How many requests the journal keeps.
    public var journalCapacity = 100_000
    /// The rules where Apple leaves room.
    public var policy = GatewayPolicy()
    /// How simulated devices behave.
    public var devicePolicy = DevicePolicy()
    /// Decides random choices, for runs that repeat; nil draws them from the system.
    public var seed: UInt64?

    /// Makes a configuration with the usual ports.
    public init(folder: String) {
        self.folder = folder
    }
}
