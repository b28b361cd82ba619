/// What a request's path names.
///
/// Paths from Apple: Sending notification requests to APNs; Sending channel management requests to APNs;
/// Sending broadcast push notification requests to APNs. The slices point into the path.
package enum Route {
    /// `/3/device/{token}`; the token's digits are empty when the path has none.
    case device(tokenDigits: UnsafeRawBufferPointer)
    /// `/4/broadcasts/apps/{bundleId}`.
    case broadcast(bundleID: UnsafeRawBufferPointer)
    /// `/1/apps/{bundleId}/channels`.
    case channels(bundleID: UnsafeRawBufferPointer)
    /// `/1/apps/{bundleId}/all-channels`.
    case allChannels(bundleID: UnsafeRawBufferPointer)
    /// Anything else.
    case unknown

    /// Reads a path.
    package init(path: UnsafeRawBufferPointer) {
        if path.begins(with: "/3/device/") {
            let digits = path.suffix(from: 10)
            self = digits.has(UInt8(ascii: "/")) ? .unknown : .device(tokenDigits: digits)
        } else if path.holds("/3/device") {
            self = .device(tokenDigits: .none)
        } else if path.begins(with: "/4/broadcasts/apps/") {
            let bundleID = path.suffix(from: 19)
            self = Route.isSegment(bundleID) ? .broadcast(bundleID: bundleID) : .unknown
        } else if path.begins(with: "/1/apps/") {
            self = Route.channelRoute(path.suffix(from: 8))
        } else {
            self = .unknown
        }
    }

    private static func channelRoute(_ rest: UnsafeRawBufferPointer) -> Route {
        guard let slash = rest.firstIndex(of: UInt8(ascii: "/")), slash > 0 else { return .unknown }
        let bundleID = UnsafeRawBufferPointer(rebasing: rest[..<slash])
        let resource = rest.suffix(from: slash)
        if resource.holds("/channels") { return .channels(bundleID: bundleID) }
        if resource.holds("/all-channels") { return .allChannels(bundleID: bundleID) }
        return .unknown
    }

    private static func isSegment(_ text: UnsafeRawBufferPointer) -> Bool {
        !text.isEmpty && !text.has(UInt8(ascii: "/"))
    }
}
