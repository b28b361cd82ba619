/// What the parts of the library share.
struct KitSurroundings: Sendable {
    var platform: any ApplicationPlatform
    var storage: any KeyValueStorage
    var time: any DeviceTime
    /// Takes what went wrong where nobody waits for an error.
    var report: @Sendable (BelfryKitError) -> Void
    /// A number from 0 to 1, for the spread of retries.
    var random: @Sendable () -> Double
}
