import Testing

@testable import APNs

@Suite struct BroadcastTests {
    @Test(arguments: ["dHN0LXNyY2gtY2hubA==", "AAAA", "+/8="])
    func `a channel id is padded base64`(text: String) throws {
        #expect(try ChannelID(text).rawValue == text)
        #expect(bytes(text) { ChannelID(utf8: $0) }?.description == text)
    }

    @Test(arguments: ["", "A", "AAA", "dHN0-A==", "AA AA", "AAAA\r\n", "é", "===="])
    func `another channel id is refused`(text: String) {
        let error = #expect(throws: APNsError.self) { try ChannelID(text) }
        #expect(error?.code == .invalidChannelID)
        #expect(bytes(text) { ChannelID(utf8: $0) } == nil)
    }

    @Test func `a channel id has at most 256 characters`() throws {
        #expect(try ChannelID(bytes: Array(repeating: 7, count: 192)).rawValue.count == 256)
        #expect(throws: APNsError.self) { try ChannelID(bytes: Array(repeating: 7, count: 193)) }
        #expect(throws: APNsError.self) { try ChannelID(bytes: []) }
    }

    @Test(arguments: [MessageStoragePolicy.noMessage, .mostRecentMessage])
    func `a configuration is written and read as Apple's`(policy: MessageStoragePolicy) {
        let configuration = ChannelConfiguration(storagePolicy: policy)
        let json = #"{"message-storage-policy":\#(policy.rawValue),"push-type":"LiveActivity"}"#
        #expect(configuration.encoded == Array(json.utf8))
        #expect(ChannelConfiguration.read(json: configuration.encoded) == .accepted(configuration))
        let other = #"{"push-type":"liveactivity","message-storage-policy":"\#(policy.rawValue)"}"#
        #expect(ChannelConfiguration.read(json: Array(other.utf8)) == .accepted(configuration))
    }

    @Test(arguments: [
        ("", Reason.badRequestPayload), ("[]", .badRequestPayload), ("{", .badRequestPayload),
        (#"{"message-storage-policy":0,"push-type":"LiveActivity","x":1}"#, .badRequestParams),
        (#"{"message-storage-policy":0}"#, .missingPushType),
        (#"{"message-storage-policy":0,"push-type":"alert"}"#, .invalidPushType),
        (#"{"message-storage-policy":0,"push-type":1}"#, .invalidPushType),
        (#"{"push-type":"LiveActivity"}"#, .missingChannelQueueSize),
        (#"{"message-storage-policy":2,"push-type":"LiveActivity"}"#, .missingChannelQueueSize),
        (#"{"message-storage-policy":true,"push-type":"LiveActivity"}"#, .missingChannelQueueSize),
    ])
    func `another configuration is refused with APNs' reason`(json: String, reason: Reason) {
        #expect(ChannelConfiguration.read(json: Array(json.utf8)) == .refused(reason))
    }

    @Test func `a list of channels is written and read`() throws {
        let list = ChannelList(channels: [try ChannelID("AAAA"), try ChannelID("+/8=")])
        #expect(list.encoded == Array(#"{"channels":["AAAA","+/8="]}"#.utf8))
        #expect(ChannelList(json: list.encoded) == list)
        #expect(ChannelList(json: Array(#"{"channels":[]}"#.utf8)) == ChannelList(channels: []))
        for json in ["", "{}", #"{"channels":[1]}"#, #"{"channels":["!"]}"#, #"{"channels":"AAAA"}"#] {
            #expect(ChannelList(json: Array(json.utf8)) == nil)
        }
    }

    @Test func `the paths are Apple's`() throws {
        let bundleID = try Topic("com.example.app")
        #expect(RequestPath.channels(bundleID: bundleID) == "/1/apps/com.example.app/channels")
        #expect(RequestPath.allChannels(bundleID: bundleID) == "/1/apps/com.example.app/all-channels")
        #expect(RequestPath.broadcasts(bundleID: bundleID) == "/4/broadcasts/apps/com.example.app")
    }
}
