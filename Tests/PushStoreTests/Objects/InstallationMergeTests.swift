import APNs
@testable import PushStore
import Recurrence
import Testing

struct InstallationMergeTests {
    private func row(
        _ number: Int64, token: String? = nil, id: String? = nil, topic: String? = nil
    ) -> Installation {
        var row = Installation(
            number: number, objectID: "row\(number)", createdAt: .test(), updatedAt: .test())
        row.deviceToken = token
        row.installationID = id
        row.apnsTopic = topic
        return row
    }

    private func apply(
        _ body: [String: JSONValue], to row: Installation? = nil
    ) throws(ChangeError) -> Installation {
        let merge = try InstallationMerge(InstallationChange(target: .matching, body: body))
        return try merge.applied(to: row ?? self.row(1), now: .test(10)).0
    }

    // MARK: - Which row

    struct Choice: Sendable, CustomTestStringConvertible {
        var name: String
        var body: [String: JSONValue]
        var byObjectID: Int64?
        var byInstallationID: [(number: Int64, topic: String?)] = []
        var byToken: (number: Int64, id: String?)?
        var target: Int64?
        var obsolete: [Int64] = []
        var testDescription: String { name }
    }

    static let choices = [
        Choice(name: "nothing known", body: ["deviceToken": "aa"]),
        Choice(name: "token", body: ["deviceToken": "aa"], byToken: (1, "x"), target: 1),
        Choice(
            name: "installation", body: ["deviceToken": "aa", "installationId": "i"],
            byInstallationID: [(2, nil)],
            target: 2),
        Choice(
            name: "installation wins over the token of another",
            body: ["deviceToken": "aa", "installationId": "i"],
            byInstallationID: [(2, nil)], byToken: (1, "x"), target: 2, obsolete: [1]),
        Choice(
            name: "a token row without installation goes on",
            body: ["deviceToken": "aa", "installationId": "i"],
            byInstallationID: [(2, nil)], byToken: (1, nil), target: 1, obsolete: [2]),
        Choice(
            name: "both are one row", body: ["deviceToken": "aa", "installationId": "i"],
            byInstallationID: [(1, nil)],
            byToken: (1, "i"), target: 1),
        Choice(
            name: "objectId wins", body: ["objectId": "o", "deviceToken": "aa", "installationId": "i"],
            byObjectID: 3,
            byToken: (1, "x"), target: 3, obsolete: [1]),
        Choice(
            name: "the row of the other topic is another",
            body: ["deviceToken": "aa", "installationId": "i", "apnsTopic": "a.voip"],
            byInstallationID: [(2, "a")]),
        Choice(
            name: "the row of the same topic", body: ["installationId": "i", "apnsTopic": "a.voip"],
            byInstallationID: [(2, "a"), (3, "a.voip")], target: 3),
        Choice(
            name: "of several with one installation the one with the token",
            body: ["installationId": "i", "deviceToken": "aa"], byInstallationID: [(2, nil), (3, nil)],
            byToken: (3, "i"), target: 3),
    ]

    @Test(arguments: choices)
    func `the row that is meant is found and no token stays on two`(choice: Choice) throws {
        let merge = try InstallationMerge(InstallationChange(target: .matching, body: choice.body))
        let resolution = try merge.resolve(
            InstallationMerge.Candidates(
                byObjectID: choice.byObjectID.map { row($0) },
                byInstallationID: choice.byInstallationID.map { row($0.number, id: "i", topic: $0.topic) },
                byToken: choice.byToken.map { row($0.number, token: "aa", id: $0.id) }))
        #expect(resolution.target?.number == choice.target)
        #expect(resolution.obsolete.map(\.number) == choice.obsolete)
    }

    @Test func `an update by objectId needs the row and cannot rename it`() throws {
        let merge = try InstallationMerge(InstallationChange(target: .existing(objectID: "o"), body: [:]))
        let error = #expect(throws: ChangeError.self) { try merge.resolve(.init()) }
        #expect(error?.code == 101)
        let other = #expect(throws: ChangeError.self) {
            try InstallationMerge(
                InstallationChange(target: .existing(objectID: "o"), body: ["objectId": "p"]))
        }
        #expect(other?.code == 117)
        _ = try InstallationMerge(
            InstallationChange(target: .existing(objectID: "o"), body: ["objectId": "o"]))
    }

    // MARK: - Fields

    static let tokens: [(sent: String, stored: String?)] = [
        ("ABCD", "abcd"), ("<ABcd 1234 ef>", "abcd1234ef"), ("not hexadecimal", "not hexadecimal"),
        ("abc", "abc"),
        ("", nil), ("<>", "<>"), ("{LENGTH=32,BYTES=0x12}", "{length=32,bytes=0x12}"),
    ]

    @Test(arguments: tokens)
    func `a token is stored in lower case, and a malformed one as it is`(
        test: (sent: String, stored: String?)
    ) throws {
        #expect(try apply(["deviceToken": .string(test.sent)]).deviceToken == test.stored)
    }

    static let faults: [(body: [String: JSONValue], code: Int)] = [
        (["createdAt": "2026-01-01T00:00:00.000Z"], 117), (["updatedAt": "x"], 117),
        (["a.b": 1], 121), (["$a": 1], 121), (["1a": 1], 105), (["_a": 1], 105), (["": 1], 105),
        (["a-b": 1], 105),
        (["é": 1], 105), ([String(repeating: "a", count: 257): 1], 105),
        (["a": ["b.c": 1]], 121), (["a": [["$b": 1]]], 121),
        (["deviceType": 1], 111), (["deviceToken": 1], 111), (["installationId": []], 111),
        (["apnsTopic": true], 111),
        (["apnsTeamId": 1.5], 111), (["deviceProfile": ["a": 1]], 111), (["deviceProfile": "1a"], 1),
        (["timeZone": 8], 111), (["timeZone": .string(String(repeating: "z", count: 1025))], 111),
        (["badge": "1"], 111), (["badge": 1.5], 111), (["badge": -1], 111), (["badge": true], 111),
        (["badge": ["__op": "Decrement", "amount": 1]], 111),
        (["valid": 1], 111), (["valid": "true"], 111),
        (["channels": "news"], 111), (["channels": [1]], 111), (["channels": ["a b"]], 112),
        (["channels": ["a.b"]], 112),
        (["channels": ["é"]], 112), (["channels": ["a\u{0}"]], 112), (["channels": ["😀"]], 112),
        (["channels": ["__op": "Add", "objects": ["a,b"]]], 112),
        (["channels": .array([.string(String(repeating: "a", count: 513))])], 112),
        (["environment": "staging"], 111), (["environment": 1], 111),
        (["place": ["__type": "GeoPoint", "latitude": 91, "longitude": 0]], 302),
        (["place": ["__type": "GeoPoint", "latitude": 0]], 302),
        (["place": ["__type": "GeoPoint", "latitude": 0, "longitude": "0"]], 302),
        (
            [
                "a": ["__type": "GeoPoint", "latitude": 0, "longitude": 0],
                "b": ["__type": "GeoPoint", "latitude": 0, "longitude": 0],
            ], 302
        ),
        (["a": ["__type": "Date", "iso": "yesterday"]], 111), (["a": ["__type": "Date"]], 111),
        (["a": ["__type": "Pointer", "className": "X"]], 111), (["a": ["__type": "Bytes"]], 111),
        (["a": "nul\u{0}"], 107), (["a": .number(.infinity)], 107),
        (["a": .string(String(repeating: "x", count: 128 * 1024))], 116),
    ]

    @Test(arguments: faults)
    func `a field at fault has LeanCloud's code`(test: (body: [String: JSONValue], code: Int)) {
        let error = #expect(throws: ChangeError.self) { try apply(test.body) }
        #expect(error?.code == test.code, "\(String(describing: error))")
    }

    @Test func `values nest as deep as JSON may and no deeper`() throws {
        func nested(_ depth: Int) -> JSONValue { (0..<depth).reduce(1) { value, _ in [value] } }
        let row = try apply(["a": nested(JSONValue.depthMax - 2)])
        #expect(try JSONValue(parsing: JSONValue.object(row.object).encoded())["a"] == row.attributes["a"])
        let error = #expect(throws: ChangeError.self) { try apply(["a": nested(JSONValue.depthMax)]) }
        #expect(error?.code == 107)
    }

    @Test(arguments: ["", "news", "新闻", "a_b-c=", "A1"])
    func `channels LeanCloud allows are kept sorted and once`(name: String) throws {
        var row = try apply(["channels": .array([.string(name), "zz", .string(name)])])
        #expect(row.channels == [name, "zz"].sorted())
        row = try apply(["channels": ["__op": "Remove", "objects": .array([.string(name)])]], to: row)
        #expect(row.channels == ["zz"])
        row = try apply(["channels": ["__op": "AddUnique", "objects": ["zz", "b"]]], to: row)
        #expect(row.channels == ["b", "zz"])
        #expect(try apply(["channels": ["__op": "Delete"]], to: row).channels == [])
        #expect(ChannelName.names(ChannelName.text([name])) == [name])
        #expect(ChannelName.names(ChannelName.text(["", name, "x"])) == ["", name, "x"])
    }

    @Test func `deleting a field with a meaning gives its default`() throws {
        var row = try apply([
            "badge": 5, "valid": false, "channels": ["a"], "timeZone": "Asia/Tokyo",
            "environment": "production",
            "deviceToken": "aa", "localeIdentifier": "ja-JP", "own": 1,
        ])
        #expect(row.badge == 5 && !row.isValid && row.environment == .production && row.locale == "ja-JP")
        for key in [
            "badge", "valid", "channels", "timeZone", "environment", "deviceToken", "localeIdentifier", "own",
        ] {
            row = try apply([key: ["__op": "Delete"]], to: row)
        }
        let bare: Set<String> = ["objectId", "createdAt", "updatedAt", "badge", "valid"]
        #expect(Set(row.object.keys) == bare)
        #expect(row.isValid && row.badge == 0 && row.tokenRegisteredAt == nil && row.locale == nil)
    }

    @Test func `a badge of 0 clears, and an increment counts on`() throws {
        var row = try apply(["badge": ["__op": "Increment", "amount": 3]])
        #expect(row.badge == 3)
        row = try apply(["badge": 0], to: row)
        #expect(row.badge == 0)
        #expect(row.object["badge"] == 0)
    }

    @Test func `what SDKs send beside the fields is no field`() throws {
        let row = try apply(["__internalId": "x", "__children": [], "__type": "Object", "a": 1])
        #expect(row.attributes == ["a": 1])
    }

    @Test func `a token that is sent again counts as registered again`() throws {
        var row = try apply(["deviceToken": "aa"])
        row.tokenRegisteredAt = .test(1)
        #expect(try apply(["a": 1], to: row).tokenRegisteredAt == .test(1))
        #expect(try apply(["deviceToken": "aa"], to: row).tokenRegisteredAt == .test(10))
    }

    @Test func `the known environment of a row stays`() throws {
        let row = try apply(["environment": "sandbox"])
        #expect(try apply(["deviceToken": "bb"], to: row).environment == .sandbox)
        #expect(try apply(["environment": "production"], to: row).environment == .production)
    }
}
