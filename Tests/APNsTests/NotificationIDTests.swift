import Testing

@testable import APNs

@Suite struct NotificationIDTests {
    @Test(arguments: [
        "f4121b12-e0bf-3266-f079-d9253e98bf49",
        "00000000-0000-0000-0000-000000000000",
        "ffffffff-ffff-ffff-ffff-ffffffffffff",
        "01234567-89ab-cdef-0123-456789abcdef",
    ])
    func `the canonical form is read and written in both cases`(text: String) throws {
        let id = try #require(NotificationID(text))
        #expect(id.uuidString == text)
        #expect(id.uppercasedUUIDString == text.uppercased())
        #expect(NotificationID(text.uppercased()) == id)
        var output: [UInt8] = []
        id.append(to: &output)
        id.append(to: &output, uppercased: true)
        #expect(output == Array((text + text.uppercased()).utf8))
        #expect(NotificationID(high: id.high, low: id.low) == id)
    }

    @Test(arguments: [
        "", "f4121b12e0bf3266f079d9253e98bf49", "{f4121b12-e0bf-3266-f079-d9253e98bf49}",
        "f4121b12-e0bf-3266-f079-d9253e98bf4", "f4121b12-e0bf-3266-f079-d9253e98bf490",
        "f4121b1-2e0bf-3266-f079-d9253e98bf49", "g4121b12-e0bf-3266-f079-d9253e98bf49",
        "f4121b12-e0bf-3266-f079-d9253e98bf4é", "f4121b12_e0bf_3266_f079_d9253e98bf49",
    ])
    func `any other form is refused`(text: String) {
        #expect(NotificationID(text) == nil)
    }

    @Test func `a random id is version 4 and depends on the generator alone`() {
        var one = Seed(1)
        var other = Seed(1)
        let id = NotificationID.random(using: &one)
        #expect(id == NotificationID.random(using: &other))
        #expect(id != NotificationID.random(using: &one))
        let text = Array(id.uuidString)
        #expect(text[14] == "4")
        #expect("89ab".contains(text[19]))
    }
}
