import Crypto
import Testing

struct Base64Tests {
    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
    ])
    func `the values of RFC 4648 come out, both ways`(plain: String, text: String) {
        let bytes = Array(plain.utf8)
        #expect(Base64.encodeToString(bytes, .standard) == text)
        #expect(Base64.decode(Array(text.utf8), .standard) == bytes)
        let bare = text.filter { $0 != "=" }
        #expect(Base64.encodeToString(bytes, .url) == bare)
        #expect(Base64.decode(Array(bare.utf8), .url) == bytes)
    }

    @Test func `the alphabets differ in two digits`() {
        #expect(Base64.encodeToString([0xfb, 0xff], .standard) == "+/8=")
        #expect(Base64.encodeToString([0xfb, 0xff], .url) == "-_8")
        #expect(Base64.decode(Array("-_8=".utf8), .standard) == nil)
        #expect(Base64.decode(Array("+/8".utf8), .url) == nil)
    }

    @Test(arguments: [
        "A", "AAAAA", "Zg=", "Zg", "=", "====", "Z===", "Zg==Zg==", "Zm8 ", "Zm8=\n", "Zm9v\n", "Zh==",
        "Zm9=", "ä===",
        "Zm\u{0}v",
    ])
    func `what no encoder writes is refused`(text: String) {
        #expect(Base64.decode(Array(text.utf8), .standard) == nil)
    }

    @Test(arguments: ["A", "AAAAA", "Zg==", "Zm8=", "Zh", "Zm9", "Zg\n"])
    func `what no URL encoder writes is refused`(text: String) {
        #expect(Base64.decode(Array(text.utf8), .url) == nil)
    }

    @Test func `every length comes back`() {
        for count in 0..<200 {
            let bytes = RandomBytes.make(count: count)
            #expect(Base64.decode(Base64.encode(bytes, .url), .url) == bytes)
            #expect(Base64.decode(Base64.encode(bytes, .standard), .standard) == bytes)
        }
    }
}
