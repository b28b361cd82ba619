import APNs
import PushStore
import Testing

@testable import PushService

@Suite struct MessageLanguageTests {
    @Test(arguments: [
        ("zh-Hans-CN", "zh-Hans-CN"), ("zh_CN", "zh-Hans-CN"), ("ZH-cn", "zh-Hans-CN"),
        ("zh_TW", "zh-Hant-TW"),
        ("zh-HK", "zh-Hant-HK"), ("zh-MO", "zh-Hant-MO"), ("zh-SG", "zh-Hans-SG"), ("zh", "zh"),
        ("zh_Hant", "zh-Hant"), ("en_US", "en-US"), ("en_US@calendar=buddhist", "en-US"),
        ("en_US.UTF-8", "en-US"),
        ("es-419", "es-419"), ("sr-latn-rs", "sr-Latn-RS"), ("iw-IL", "he-IL"), ("zh-yue-HK", "yue-HK"),
        ("de-DE-u-co-phonebk", "de-DE"), ("ca-ES-valencia", "ca-ES"), ("fil", "fil"),
    ])
    func `a tag is read whatever its case and separator`(text: String, canonical: String) {
        #expect(LanguageTag(text)?.text == canonical)
    }

    @Test(arguments: [
        "", "-", "z", "english", "12", "en--US", "en-", "-en", "中文", "en US", "en-toolongsubtag", "en-ü",
    ])
    func `what is no tag is none`(text: String) {
        #expect(LanguageTag(text) == nil)
    }

    @Test(arguments: [
        ("zh-Hans-CN", ["zh-Hans-CN", "zh-Hans", "zh-Hant", "zh"], "zh-Hans-CN zh-Hans zh"),
        ("zh_CN", ["zh-Hans", "zh-Hant", "zh"], "zh-Hans zh"),
        ("zh-Hant-TW", ["zh-Hans", "zh"], "zh"),
        ("zh-Hant-TW", ["zh-Hans"], ""),
        ("zh", ["zh-Hant"], ""),
        ("zh", ["zh-Hans", "zh-Hant"], "zh-Hans"),
        ("zh", ["zh-Hans", "zh"], "zh zh-Hans"),
        ("zh-Hans", ["zh-CN"], "zh-Hans-CN"),
        ("zh-HK", ["zh-TW", "zh-CN"], "zh-Hant-TW"),
        ("yue-HK", ["zh-Hant", "zh-Hans"], "zh-Hant"),
        ("pt-PT", ["pt-BR"], ""),
        ("pt-BR", ["pt", "pt-BR"], "pt-BR pt"),
        ("sr-Latn-RS", ["sr", "sr-RS", "sr-Latn", "sr-Cyrl"], "sr-Latn sr-RS sr"),
        ("nb-NO", ["no", "nn"], "no"),
        ("en-GB", ["eng", "e"], ""),
        ("fr", ["fr-CA", "fro"], ""),
    ])
    func `texts are looked for from the most to the least precise`(
        device: String, available: [String], chain: String
    ) throws {
        let tags = available.compactMap { LanguageTag($0) }
        let found = try #require(LanguageTag(device)).chain(among: tags)
        #expect(found.map(\.text).joined(separator: " ") == chain)
    }

    private static let data = #"""
        {"alert":"Hello","alert-zh-Hans":"你好","alert-zh-Hant":"你好嗎","alert-fr":{"title":"Salut","body":"Bonjour"},
        "title-de":"Tag","mine":1}
        """#

    @Test(arguments: [
        ("zh-Hans-CN", #""你好""#), ("zh_CN", #""你好""#), ("zh-TW", #""你好嗎""#), ("zh", #""你好""#),
        ("fr-CA", #"{"body":"Bonjour","title":"Salut"}"#), ("de-AT", #"{"body":"Hello","title":"Tag"}"#),
        ("en", #""Hello""#), ("nonsense locale", #""Hello""#), ("", #""Hello""#),
    ])
    func `a device gets its language`(locale: String, alert: String) throws {
        let payload = try MessageFixture.payload(Self.data, MessageFixture.device(locale: locale))
        #expect(payload == #"{"aps":{"alert":\#(alert)},"mine":1}"#)
    }

    @Test func `the app's language comes before the plain text`() throws {
        let context = try MessageFixture.context(language: "fr")
        let spanish = try MessageFixture.payload(
            Self.data, MessageFixture.device(locale: "es"), context: context)
        #expect(spanish == #"{"aps":{"alert":{"body":"Bonjour","title":"Salut"}},"mine":1}"#)
        let unknown = try MessageFixture.payload(Self.data, MessageFixture.device(), context: context)
        #expect(unknown == spanish)
    }

    @Test func `languages inside the alert, and beside an alert of the app's strings`() throws {
        let data =
            #"{"alert":{"title":"T","title-fr":"Tf","body-fr":"Bf","loc-key":"K","loc-args":["a"],"launch-image":"i"}}"#
        #expect(
            try MessageFixture.payload(data, MessageFixture.device(locale: "fr_FR"))
                == #"{"aps":{"alert":{"body":"Bf","launch-image":"i","title":"Tf"}}}"#)
        #expect(
            try MessageFixture.payload(data, MessageFixture.device(locale: "de"))
                == #"{"aps":{"alert":{"launch-image":"i","loc-args":["a"],"loc-key":"K","title":"T"}}}"#)
        #expect(
            try MessageFixture.payload(
                #"{"aps":{"alert":"x"},"alert-fr":"y"}"#, MessageFixture.device(locale: "fr"))
                == #"{"aps":{"alert":"y"}}"#)
    }

    @Test func `without a plain text every device gets some text`() throws {
        let data = #"{"alert-fr":"Bonjour","alert-en":"Hello"}"#
        #expect(
            try MessageFixture.payload(data, MessageFixture.device(locale: "ja"))
                == #"{"aps":{"alert":"Hello"}}"#)
        let report = try MessageFixture.composer(data).report(now: 1_800_000_000)
        #expect(report.findings.contains { $0.rule == "missing-default-text" })
    }

    @Test(arguments: [
        #""alert-type":"breaking""#, #""alert-fr":7"#, #""title-loc-key":"x""#, #""alerting":"x""#,
        #""alert-":"x""#,
    ])
    func `a key that only looks like a language stays the app's own`(key: String) throws {
        #expect(try MessageFixture.payload(#"{"alert":"x",\#(key)}"#) == #"{"aps":{"alert":"x"},\#(key)}"#)
    }

    @Test func `devices with one language share one payload`() throws {
        var composer = try MessageFixture.composer(Self.data)
        func address(_ locale: String) -> UnsafeRawPointer? {
            guard
                case .composed(let composed) = composer.compose(
                    for: MessageFixture.device(locale: locale), badge: 0)
            else { return nil }
            return composed.payload.withUnsafeBytes { $0.baseAddress }
        }
        let first = try #require(address("zh_CN"))
        #expect(address("zh-Hans-CN") == first)
        #expect(address("zh-Hans") == first)
        #expect(address("zh_TW") != first)
    }

    @Test func `made-up languages do not fill the memory`() throws {
        var composer = try MessageFixture.composer(Self.data)
        for index in 0..<5_000 {
            _ = composer.compose(for: MessageFixture.device(locale: "x\(index)"), badge: 0)
        }
        #expect(composer.platforms[0].variantIndices.count <= 1_024)
        #expect(
            try MessageFixture.payload(Self.data, MessageFixture.device(locale: "zh_CN"))
                == #"{"aps":{"alert":"你好"},"mine":1}"#)
    }

    @Test func `only a message with languages asks for them`() throws {
        #expect(try MessageFixture.composer(Self.data).needsLocale)
        #expect(try !MessageFixture.composer(#"{"alert":"x"}"#).needsLocale)
        #expect(try MessageFixture.composer(#"{"alert":"{{locale}}"}"#).needsLocale)
    }
}
