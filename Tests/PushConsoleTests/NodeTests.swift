import Testing

@testable import PushConsole

struct NodeTests {
    static let hostile = [
        "<script>alert(1)</script>", "\" onload=\"x", "' onload='x", "a & b", "</textarea>", "\u{0}x",
    ]

    @Test(arguments: hostile)
    func `text is text wherever it stands`(text: String) {
        let node = div(.class(text), .data("x", text)) {
            text
            textarea { text }
        }
        let html = node.html
        #expect(!html.contains("<script"))
        #expect(!html.contains("</textarea></textarea>"))
        // Two elements, each with its end tag: nothing that was text has become a tag.
        #expect(html.count { $0 == "<" } == 4)
        #expect(html.count { $0 == "\"" } == 4)
    }

    @Test func `what is written is read back by a browser's rules`() {
        let node = p(.title("a\"b")) { "1 < 2 && 'x'" }
        #expect(node.html == "<p title=\"a&quot;b\">1 &lt; 2 &amp;&amp; &#39;x&#39;</p>")
        #expect(input(.type("checkbox"), .flag("checked")).html == "<input type=\"checkbox\" checked>")
        #expect(input(.flag("checked", false)).html == "<input>")
        #expect(textarea { "\nfirst" }.html == "<textarea>\n\nfirst</textarea>")
    }

    @Test func `links escape their pieces and stay inside the console`() {
        #expect(
            Link("apps", "a/b?c#d e", query: [("q", "ü&x")]).text
                == "/console/apps/a%2Fb%3Fc%23d%20e?q=%C3%BC%26x")
        #expect(Link("..").text == "/console/..")
        #expect(Link(onPage: "content").text == "#content")
        for bad in [
            "//evil.example", "https://evil.example/console", "/consolex", "/console/\\evil", "/console/ x",
            "",
        ] {
            #expect(Link(returning: bad) == nil, "\(bad)")
        }
        #expect(Link(returning: "/console/apps/a?x=1")?.text == "/console/apps/a?x=1")
    }
}
