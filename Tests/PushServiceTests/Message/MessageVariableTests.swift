import APNs
import PushStore
import Testing

@testable import PushService

@Suite struct MessageVariableTests {
    private static let attributes: [String: JSONValue] = [
        "name": "Ann", "empty": "", "age": 42, "ratio": 0.5, "big": 12_345_678_901, "tiny": 0.000_000_12,
        "huge": .number(1e21), "vip": true, "none": nil, "tags": ["a", 1, ""],
        "address": ["city": "Köln", "lines": ["x", "y"]],
        "since": ["__type": "Date", "iso": "2027-01-15T08:00:00.000Z"],
        "evil": "\"},\"aps\":{\"badge\":9,\"x\":\"\\\n{{name}}", "a-b": "hyphen",
    ]

    @Test(arguments: [
        ("{{name}}", "Ann"), ("{{ name }}", "Ann"), ("Hello {{name|there}}!", "Hello Ann!"),
        ("{{nobody|there}}", "there"),
        ("{{nobody}}!", "!"), ("{{empty|there}}", "there"), ("{{none|there}}", "there"), ("{{age}}", "42"),
        ("{{ratio}}", "0.5"), ("{{big}}", "12345678901"), ("{{tiny}}", "0.00000012"),
        ("{{huge}}", "1000000000000000000000"),
        ("{{vip}}", "true"), ("{{tags}}", "a, 1"), ("{{tags.1}}", "1"), ("{{tags.9|-}}", "-"),
        ("{{address.city}}", "Köln"),
        ("{{address.lines.0}}", "x"), ("{{address|-}}", "-"), ("{{address.city.x|-}}", "-"),
        ("{{name.x|-}}", "-"),
        ("{{since}}", "2027-01-15T08:00:00.000Z"), ("{{a-b}}", "hyphen"),
        ("{{objectId}}", "5f9d6a1e2b3c4d5e6f708192"),
        ("{{deviceType}}", "ios"), ("{{timeZone}}", "Asia/Shanghai"), ("{{locale|en}}", "en"),
        ("{{badge}}", "3"),
        ("{{name}}{{age}}", "Ann42"), ("{{nobody|a|b}}", "a|b"), (#"{{nobody|a\}\}b}}"#, "a}}b"),
        (#"\{{name}}"#, "{{name}}"),
        ("{{name", "{{name"), ("{{}}", "{{}}"), ("{{a b}}", "{{a b}}"), ("{{.}}", "{{.}}"),
        ("{ {name}}", "{ {name}}"),
        ("}}{{name}}{{", "}}Ann{{"), ("{{nobody|}}.", "."), ("{{{name}}}", "{{{name}}}"),
        ("{{nobody|{{name}}", "{{name"),
    ])
    func `a place takes the installation's value`(text: String, shown: String) throws {
        let data = try JSONValue.object(["alert": .string(text)]).encoded()
        let payload = try MessageFixture.payload(
            String(decoding: data, as: UTF8.self), MessageFixture.device(Self.attributes), badge: 3)
        #expect(try JSONValue(parsing: payload)["aps"]?["alert"] == .string(shown))
    }

    @Test func `a value cannot leave its string`() throws {
        let payload = try MessageFixture.payload(
            #"{"alert":"a{{evil}}b","mine":{"k":["{{evil|x}}"]}}"#, MessageFixture.device(Self.attributes))
        let value = try JSONValue(parsing: payload)
        guard case .string(let evil)? = Self.attributes["evil"] else { return }
        #expect(value == ["aps": ["alert": .string("a\(evil)b")], "mine": ["k": [.string(evil)]]])
    }

    @Test func `variables work in every text that is shown, and in the app's own`() throws {
        let data =
            #"{"alert":{"title":"{{name}}","subtitle":"{{name}}","body":"{{name}}","loc-key":"{{name}}","loc-args":["{{name}}"],"launch-image":"{{name}}"},"category":"{{name}}","url":"app://{{name}}"}"#
        #expect(
            try MessageFixture.payload(data, MessageFixture.device(Self.attributes))
                == #"{"aps":{"alert":{"body":"Ann","launch-image":"{{name}}","loc-args":["Ann"],"loc-key":"{{name}}","subtitle":"Ann","title":"Ann"},"category":"{{name}}"},"url":"app://Ann"}"#
        )
    }

    @Test func `attributes are asked for only when a text needs them`() throws {
        #expect(try MessageFixture.composer(#"{"alert":"{{name}}"}"#).needsAttributes)
        #expect(try MessageFixture.composer(#"{"alert":"x","mine":["{{name}}"]}"#).needsAttributes)
        #expect(try MessageFixture.composer(#"{"alert":"x","macos":{"alert":"{{name}}"}}"#).needsAttributes)
        #expect(try !MessageFixture.composer(#"{"alert":"{{objectId}} {{badge}}"}"#).needsAttributes)
        #expect(try !MessageFixture.composer(#"{"alert":"\\{{name}}"}"#).needsAttributes)
    }

    @Test func `a device's own values are in its own payload alone`() throws {
        var composer = try MessageFixture.composer(#"{"alert":"{{name|-}}","alert-fr":"f {{name|-}}"}"#)
        for (name, locale, text) in [
            ("A", "en", "A"), ("B", "fr", "f B"), ("", "fr", "f -"), ("C", "en", "C"),
        ] {
            let device = MessageFixture.device(locale: locale, ["name": .string(name)])
            guard case .composed(let composed) = composer.compose(for: device, badge: 0) else { continue }
            #expect(String(decoding: composed.payload, as: UTF8.self) == #"{"aps":{"alert":"\#(text)"}}"#)
        }
    }

    @Test(arguments: [
        (0.1, "0.1"), (-0.1, "-0.1"), (1e-7, "0.0000001"), (1.5e-10, "0.00000000015"),
        (1e15, "1000000000000000"),
        (1e22, "10000000000000000000000"), (-1.25e20, "-125000000000000000000"), (123456.789, "123456.789"),
        (3, "3"),
    ])
    func `numbers have no exponent`(number: Double, text: String) {
        #expect(PlainNumber.text(number) == text)
    }

    @Test(arguments: [Double.infinity, -.infinity, .nan])
    func `what is no number has no text`(number: Double) {
        #expect(PlainNumber.text(number) == nil)
    }
}
