import Testing

@testable import APNsGateway

struct RouteTests {
    private func name(_ path: String) -> String {
        withBytes(path) { bytes in
            func text(_ slice: UnsafeRawBufferPointer) -> String { String(decoding: slice, as: UTF8.self) }
            return switch Route(path: bytes) {
            case .device(let digits): "device \(text(digits))"
            case .broadcast(let app): "broadcast \(text(app))"
            case .channels(let app): "channels \(text(app))"
            case .allChannels(let app): "all \(text(app))"
            case .unknown: "unknown"
            }
        }
    }

    @Test(arguments: [
        ("/3/device/00ff", "device 00ff"), ("/3/device/", "device "), ("/3/device", "device "),
        ("/3/device/zz?x", "device zz?x"), ("/3/device/00/", "unknown"), ("/3/devices/00", "unknown"),
        ("/2/device/00", "unknown"), ("/", "unknown"), ("", "unknown"), ("/3/Device/00", "unknown"),
        ("/4/broadcasts/apps/a.b", "broadcast a.b"), ("/4/broadcasts/apps/", "unknown"),
        ("/4/broadcasts/apps/a/b", "unknown"), ("/4/broadcasts/apps", "unknown"),
        ("/1/apps/a.b/channels", "channels a.b"), ("/1/apps/a.b/all-channels", "all a.b"),
        ("/1/apps//channels", "unknown"), ("/1/apps/a.b", "unknown"), ("/1/apps/a.b/channels/x", "unknown"),
        ("/1/apps/a.b/channel", "unknown"),
    ])
    func `a path names one route`(path: String, expected: String) {
        #expect(name(path) == expected)
    }
}
