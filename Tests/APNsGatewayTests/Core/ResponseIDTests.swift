import APNs
import Testing

@testable import APNsGateway

struct ResponseIDTests {
    @Test(arguments: [
        "eabeae54-14a8-11e5-b60b-1697f925ec7b", "EABEAE54-14A8-11E5-B60B-1697F925EC7B",
        "EaBeaE54-14a8-11E5-b60B-1697f925Ec7B", "00000000-0000-0000-0000-000000000000",
        "ffffffff-ffff-ffff-ffff-fffffffffffF",
    ])
    func `what a client sent comes back digit for digit`(text: String) {
        let id = withBytes(text) { ResponseID(echoing: $0) }
        #expect(id?.text == text)
        #expect(id?.id == NotificationID(text))
    }

    @Test(arguments: ["", "x", "eabeae54-14a8-11e5-b60b-1697f925ec7", "eabeae54x14a8-11e5-b60b-1697f925ec7b"])
    func `anything but a canonical UUID is refused`(text: String) {
        #expect(withBytes(text) { ResponseID(echoing: $0) } == nil)
    }

    @Test func `what the gateway makes is in upper case`() {
        let id = ResponseID(
            generated: NotificationID(high: 0xabcd_ef01_2345_6789, low: 0xfedc_ba98_7654_3210))
        #expect(id.text == "ABCDEF01-2345-6789-FEDC-BA9876543210")
    }
}
