/// Whose clocks a schedule follows.
public enum ZonePolicy: Hashable, Sendable {
    /// The default: those of the zone that it is evaluated in, each device's own; it moves with the device.
    case floating
    /// Those of one zone, wherever the device is.
    case fixed(Zone)
    /// None: its times are UTC, and hours are hours that pass whatever clocks do.
    case instant
}
