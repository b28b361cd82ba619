import Testing

@testable import Transport

struct RequestTargetTests {
    private static func read(_ text: String) throws -> String {
        let target = try RequestTarget(Array(text.utf8))
        let query = target.query.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
        return "\(target.path) \(target.segments) \(query)"
    }

    @Test(arguments: [
        ("/", #"/ [] "#), ("/a", #"/a ["a"] "#), ("/a/b", #"/a/b ["a", "b"] "#), ("/a/", #"/a/ ["a", ""] "#),
        ("//", #"// ["", ""] "#), ("/a%2Fb/c", #"/a/b/c ["a/b", "c"] "#), ("/%E4%BD%A0", #"/你 ["你"] "#),
        ("/你?好=吗", #"/你 ["你"] 好=吗"#), ("/a+b?c+d", #"/a+b ["a+b"] c d="#), ("/?", #"/ [] "#),
        ("/?a=1&a=2&&b", #"/ [] a=1&a=2&b="#), ("/?a=b=c?d", #"/ [] a=b=c?d"#), ("/?%26=%3d", #"/ [] &=="#),
        ("/?=v", #"/ [] =v"#), ("http://host/a?b=c", #"/a ["a"] b=c"#), ("HTTPS://h:1", #"/ [] "#),
        ("http://h?x=1", #"/ [] x=1"#), ("*", #"* [] "#), ("/a%25b", #"/a%b ["a%b"] "#),
        ("/..%2f..", #"/../.. ["../.."] "#),
    ])
    func `a target is taken apart and decoded`(text: String, expected: String) throws {
        #expect(try Self.read(text) == expected)
    }

    @Test(arguments: [
        "", "a", "/a b", "/%", "/%1", "/%1g", "/%g1", "/%%41", "/%00", "/?%00", "/?a=%", "/%FF", "/%C3",
        "/?%C3%28",
        "/\u{7F}", "/\t", "**", "http:/a", "ftp://h/a", "/%ED%A0%80", "/%C0%AF",
    ])
    func `a target that cannot be read is answered 400`(text: String) {
        let rejection = #expect(throws: HTTPRejection.self) { try Self.read(text) }
        #expect(rejection?.status == 400)
    }

    @Test func `bytes that are not UTF-8 are answered 400`() {
        #expect(throws: HTTPRejection.self) { try RequestTarget([0x2F, 0xFF]) }
        #expect(throws: HTTPRejection.self) { try RequestTarget([0x2F, 0x00]) }
    }

    @Test(
        arguments: [
            ("192.0.2.1", nil, "192.0.2.1"), ("192.0.2.1", "198.51.100.7", "192.0.2.1"),
            ("127.0.0.1", nil, "127.0.0.1"), ("127.0.0.1", "198.51.100.7", "198.51.100.7"),
            ("127.0.0.1", "10.0.0.1, 203.0.113.9,198.51.100.7 ", "198.51.100.7"),
            ("::1", "2001:db8::7", "2001:db8::7"),
            ("127.0.0.9", "", "127.0.0.9"), ("127.0.0.1", "unknown", "127.0.0.1"),
            ("127.0.0.1", "a b", "127.0.0.1"),
            ("127.0.0.1", "198.51.100.7,", "198.51.100.7"),
            ("127.0.0.1", String(repeating: "1", count: 46), "127.0.0.1"),
        ] as [(String, String?, String)])
    func `who asked is the peer, or whom a proxy on this machine has had the request from`(
        peer: String, forwarded: String?, expected: String
    ) {
        var headers: HTTPHeaders = [:]
        if let forwarded { headers.append(name: "X-Forwarded-For", value: forwarded) }
        #expect(HTTPRequest(path: "/", headers: headers, remoteAddress: peer).clientAddress == expected)
    }
}
