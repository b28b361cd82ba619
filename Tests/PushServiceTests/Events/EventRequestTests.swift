internal import APNs
internal import PushStore
internal import Recurrence
internal import Testing

@testable internal import PushService

struct EventRequestTests {
    private let now = Instant(millisecondsSince1970: 1_804_860_000_000)

    private func read(_ text: String) throws -> [BehaviourEvent] {
        try EventRequest(JSONValue(parsing: text), now: now).events
    }

    @Test func `one event and a list of events are read`() throws {
        let one = try read(
            #"{"installation": "aa", "name": "read", "tags": ["sports"], "article": "a1", "properties": {"s": 3}}"#
        )
        #expect(
            one == [
                BehaviourEvent(
                    source: .objectID("aa"), name: "read", tags: ["sports": 1], article: "a1",
                    properties: ["s": 3], at: now)
            ])
        let two = try read(
            """
            {"events": [
                {"installationId": "i", "name": "buy", "tags": {"shoes": 2.5}, "at": "2027-03-12T13:00:00Z"},
                {"deviceToken": "AB", "name": "x",
                 "at": {"__type": "Date", "iso": "2027-03-12T14:00:01.000Z"}}
            ]}
            """)
        #expect(two.map(\.source) == [.installationID("i"), .deviceToken("ab")])
        #expect(two[0].tags == ["shoes": 2.5])
        #expect(two[0].at == now.advanced(bySeconds: -3600))
    }

    @Test func `a phone whose clock runs ahead reports for now`() throws {
        #expect(
            try read(#"{"installation": "a", "name": "x", "at": "2030-01-01T00:00:00Z"}"#).map(\.at) == [now])
    }

    @Test(arguments: [
        "[]", "{}", #"{"name": "x"}"#, #"{"installation": "a"}"#, #"{"installation": "a", "name": ""}"#,
        #"{"installation": "a", "name": "x", "tags": ["a b"]}"#,
        #"{"installation": "a", "name": "x", "article": 1}"#,
        #"{"installation": "a", "name": "x", "at": "yesterday"}"#,
        #"{"installation": "a", "name": "x", "at": "2026-03-12T14:00:00Z"}"#, #"{"events": []}"#,
        #"{"events": [{"installation": "a", "name": "x"}, {"name": "y"}]}"#,
    ])
    func `an event that is wrong is refused and so are those beside it`(text: String) {
        #expect(throws: (any Error).self) { try read(text) }
    }
}
