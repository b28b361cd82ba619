import APNs
import FoundationEssentials
import PushService
import PushStore
import Recurrence
import Testing

@testable import PushConsole

/// What the service says in English, on pages in Chinese.
struct ErrorTextTests {
    /// Bodies of pushes that are refused, with what the Chinese text has to hold.
    static let refused: [(body: [String: JSONValue], values: [String])] = [
        (["data": [:]], ["推送内容", "不能为空"]),
        (["data": ["alert": ["title": true]]], ["data.alert.title", "布尔值", "字符串"]),
        (["data": ["alert": "x", "badge": "More"]], ["角标", "More", "Increment"]),
        (["data": ["alert": "x", "interruption-level": "loud"]], ["打扰级别", "loud"]),
        (
            ["data": ["alert": "x", "collapse-id": .string(String(repeating: "x", count: 65))]],
            ["折叠标识", "64", "65"]
        ),
        (["data": ["alert": .string(String(repeating: "x", count: 4090))]], ["字节", "4096"]),
        (["data": ["alert": "x"], "channels": []], ["频道"]),
        (["data": ["alert": "x"], "channels": ["a/b"]], ["频道", "'a/b'"]),
        (["data": ["alert": "x"], "where": ["age": ["$foo": 1]]], ["'$foo'", "$gte"]),
        (["data": ["alert": "x"], "where": ["$foo": []]], ["'$foo'", "$and"]),
        (["data": ["alert": "x"], "where": ["9x": 1]], ["'9x'", "字段名"]),
        (["data": ["alert": "x"], "where": ["age": ["$gt": true]]], ["age：$gt", "布尔值"]),
        (["data": ["alert": "x"], "where": ["age": ["$in": 7]]], ["age：$in", "数组"]),
        (["data": ["alert": "x"], "where": ["age": ["$exists": 7]]], ["age：$exists", "true 或 false"]),
        (["data": ["alert": "x"], "where": ["name": ["$regex": "("]]], ["name：$regex", "正则表达式"]),
        (["data": ["alert": "x"], "where": ["$or": []]], ["$or", "至少需要一个条件"]),
        (["data": ["alert": "x"], "where": ["channels.x": 1]], ["channels", "没有下级字段"]),
        (["data": ["alert": "x"], "where": ["interests": ["$gt": 1]]], ["interests.sports"]),
        (
            [
                "data": ["alert": "x"],
                "where": ["a": ["$inQuery": ["className": "Shop", "where": ["open": true]]]],
            ],
            ["Shop", "open"]
        ),
        (["data": ["alert": "x"], "schedule": ["rrule": "FREQ=SOMETIMES"]], ["SOMETIMES", "FREQ"]),
        (
            ["data": ["alert": "x"], "schedule": ["rrule": "FREQ=DAILY;BYHOUR=25"]],
            ["BYHOUR", "25", "0 到 23"]
        ),
        (["data": ["alert": "x"], "schedule": ["rrule": "BYHOUR=9"]], ["FREQ", "缺少"]),
        (["data": ["alert": "x"], "schedule": ["rrule": "FREQ=DAILY;FREQ=DAILY"]], ["FREQ", "重复"]),
        (["data": ["alert": "x"], "schedule": ["rrule": "FREQ=DAILY;BYDAY=2TU"]], ["BYDAY", "2TU"]),
        (
            ["data": ["alert": "x"], "schedule": ["rrule": "FREQ=WEEKLY;BYMONTHDAY=1"]],
            ["BYMONTHDAY", "WEEKLY"]
        ),
        (
            ["data": ["alert": "x"], "schedule": ["rrule": "FREQ=DAILY;BYHOUR=9", "timezone": "Mars/Base"]],
            ["时区", "“Mars/Base”", "America/New_York"]
        ),
        (
            ["data": ["alert": "x"], "schedule": ["rrule": "FREQ=DAILY;BYHOUR=9", "until": "soon"]],
            ["截止日期", "“soon”"]
        ),
        (
            ["data": ["alert": "x"], "schedule": ["rrule": "FREQ=DAILY", "until": "2020-01-01T00:00:00"]],
            ["不会触发"]
        ),
        (["data": ["alert": "x"], "push_time": "2020-01-01T00:00:00"], ["本地时间"]),
        (["data": ["alert": "x"], "push_time": "2099-01-01T00:00:00.000Z"], ["天"]),
        (["data": ["alert": "x"], "flow_control": -1], ["整数"]),
        (["data": ["alert": "x"], "expiration_interval": 0], ["有效小时数", "大于 0"]),
    ]

    @Test(arguments: refused.indices)
    func `what the service says of a push has a Chinese text with its values`(index: Int) async throws {
        let (body, values) = Self.refused[index]
        try await ConsoleFixture.with { fixture in
            var message: String?
            do {
                _ = try await fixture.console.console.api.perform(
                    "POST", "/1.1/push", body: body, app: fixture.app, actor: "test")
            } catch {
                if case .text(let text) = ConsoleRefusal(any: error).message { message = text }
            }
            let english = try #require(message)
            #expect(ErrorText.text(english, in: .english) == english)
            let text = ErrorText.text(english, in: .chinese)
            #expect(text != english, "there is no phrase for: \(english)")
            for value in values { #expect(text.contains(value), "\(text) for: \(english)") }
            // Words of the English sentence would show that a part of it was left.
            for word in [" was found", " is needed", " are allowed", "allowed:", " must ", " the "] {
                #expect(!text.contains(word), "\(text)")
            }
        }
    }

    static let forms: [(path: String, fields: [(String, String)], text: String)] = [
        (
            "/console/users", [("name", "owner"), ("password", ConsoleFixture.password), ("role", "viewer")],
            "已存在同名用户"
        ),
        (
            "/console/users", [("name", "a b"), ("password", ConsoleFixture.password), ("role", "viewer")],
            "不能有空格"
        ),
        ("/console/apps", [("app-name", ""), ("topic", "com.example.a")], "名称：允许"),
        ("/console/apps", [("app-name", "A"), ("topic", "no blanks")], "主题（Topic）"),
        (
            "/console/apps/news/settings",
            [
                ("app-name", "A"), ("topic", "com.example.a"), ("record-days", "0"), ("audit-days", "400"),
                ("installation-days", "90"),
            ],
            "记录保留天数：实际为 0，允许 1 到 3650"
        ),
        (
            "/console/apps/news/settings",
            [
                ("app-name", "A"), ("topic", "com.example.a"), ("record-days", "7"), ("audit-days", "0"),
                ("installation-days", "90"),
            ],
            "审计日志保留天数：实际为 0，允许 1 到 3650"
        ),
        (
            "/console/apps/news/credentials",
            [
                ("file", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----"),
                ("key-id", "ABC123DEFG"),
                ("team-id", "DEF123GHIJ"),
            ], "已损坏"
        ),
        ("/console/apps/news/credentials", [("file", "hello")], "PKCS#12"),
        (
            "/console/apps/news/compose/confirm",
            [("body", "x"), ("audience", "condition"), ("where", #"{"age": {"$foo": 1}}"#)],
            "不支持操作符 &#39;$foo&#39;"
        ),
    ]

    @Test(arguments: forms.indices)
    func `a form that is refused says why in Chinese`(index: Int) async throws {
        let form = Self.forms[index]
        try await ConsoleFixture.with { fixture in
            let browser = try await fixture.browser(.owner, language: "zh-CN")
            let answer = try await browser.post(form.path, form.fields)
            #expect(400..<500 ~= answer.status)
            let notice = answer.text.firstMatch(of: #/<p class="notice bad"[^>]*>([^<]*)</#).map {
                String($0.1)
            }
            #expect(notice?.contains(form.text) == true, "\(notice ?? answer.text)")
        }
    }

    @Test func `the same errors stay English on an English page and in the API`() async throws {
        try await ConsoleFixture.with { fixture in
            let browser = try await fixture.browser(.owner)
            let answer = try await browser.post(
                "/console/users",
                [("name", "owner"), ("password", ConsoleFixture.password), ("role", "viewer")])
            #expect(answer.text.contains("name: there is a user with this name already"))
        }
    }

    @Test func `what somebody typed is not taken for words of the service`() {
        let text = ErrorText.text(
            "zone: found 'a string'; allowed: a name such as America/New_York, or UTC", in: .chinese)
        #expect(text.contains("“a string”"))
        let hostile = "schedule: zone: found 'x'; allowed: y'; allowed: a value"
        #expect(ErrorText.text(hostile, in: .chinese).contains("x"))
        let long = String(repeating: ": ", count: 100_000)
        #expect(ErrorText.text(long, in: .chinese) == long)
        let dense = "x" + String(repeating: ": a was found, ", count: 100)
        #expect(ErrorText.text(dense, in: .chinese) == dense)
    }

    @Test func `what no phrase fits is shown as it is`() {
        #expect(ErrorText.text("something new went wrong", in: .chinese) == "something new went wrong")
    }

    @Test func `every phrase of an error is looked for`() {
        let known = Set(ErrorText.phrases.map(\.english))
        #expect(known.count == ErrorText.phrases.count)
        let prefixes = ["error", "need", "kind"]
        let written = PhraseSourceTests.entries.filter { entry in
            prefixes.contains {
                entry.name.hasPrefix($0) && entry.name.dropFirst($0.count).first?.isUppercase == true
            }
        }
        #expect(written.count > 150)
        for entry in written {
            #expect(
                known.contains(entry.english.replacing("\\\"", with: "\"").replacing("\\\\", with: "\\")),
                "\(entry.name)")
        }
    }

    @Test func `the words of each phrase are words of the service`() throws {
        let sources = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Sources")
            .standardized
        var words = ""
        for module in [
            "APNs", "APNsClient", "APNsGateway", "Crypto", "PushService", "PushStore", "Recurrence",
        ] {
            let folder = sources.appending(path: module)
            for file in try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            where file.hasSuffix(".swift") {
                words += try String(contentsOf: folder.appending(path: file), encoding: .utf8)
            }
        }
        // A sentence that is broken over lines is one again.
        words = words.replacing(#/"\s*\+ "/#, with: "")
        // Sentences that are put together: how they begin stands elsewhere.
        let beginnings = [
            ": a broadcast goes to whoever follows its channel; ", ": a collapse id ", ": a channel id ",
            "topic: a topic ", "a fault ", ": ",
        ]
        for phrase in ErrorText.phrases {
            for part in phrase.english.split(separator: #/\{\d\}/#) where part != ": the payload has " {
                let beginning = beginnings.first { part.hasPrefix($0) } ?? ""
                let own = part.dropFirst(beginning.count)
                guard own.count > 15 else { continue }
                let written = own.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
                #expect(words.contains(written) || words.contains(own), "\(phrase.english): \(own)")
            }
        }
    }
}
