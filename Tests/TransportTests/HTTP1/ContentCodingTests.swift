import Foundation
import FoundationNetworking
import Testing

@testable import Transport

@Suite(.timeLimit(.minutes(5)))
struct ContentCodingTests {
    @Test(arguments: [
        ("gzip", true), ("GZIP", true), ("x-gzip", true), ("deflate, gzip;q=0.5", true), ("*", true),
        ("gzip;q=0", false), ("gzip; q=0.000", false), ("gzip ; Q=0", false), ("*;q=0", false),
        ("*;q=0, gzip", true),
        ("gzip;q=0, *", false), ("identity", false), ("br, deflate", false), ("", false), ("gzipped", false),
        ("gzip;q=nonsense", false), (",,gzip", true),
    ])
    func `Accept-Encoding is read with its weights`(header: String, accepts: Bool) {
        #expect(ContentCoding.accepts(header) == accepts)
    }

    @Test(arguments: [
        ("application/json", true), ("application/json; charset=utf-8", true), ("Text/HTML", true),
        ("application/problem+json", true), ("image/svg+xml", true), ("image/png", false),
        ("application/zip", false),
        ("application/octet-stream", false), ("", false),
    ])
    func `text is compressible and pictures are not`(type: String, isCompressible: Bool) {
        #expect(ContentCoding.isCompressible(contentType: type) == isCompressible)
    }

    private static func coded(
        _ body: [UInt8], status: Int = 200, headers: [(String, String)] = [("Content-Type", "text/plain")],
        accept: String? = "gzip"
    ) -> HTTPResponse {
        ContentCoding.applied(
            to: HTTPResponse(status: status, headers: headers, body: .bytes(body)), acceptEncoding: accept,
            byteCountMin: 1024)
    }

    @Test func `a body is compressed from the limit on`() {
        for (byteCount, isCompressed) in [(1023, false), (1024, true)] {
            let response = Self.coded([UInt8](repeating: 65, count: byteCount))
            #expect((response.header(named: "content-encoding") == "gzip") == isCompressed)
            #expect((response.header(named: "vary") == "Accept-Encoding") == isCompressed)
        }
    }

    @Test func `what could be compressed says so to caches`() {
        let body = [UInt8](repeating: 65, count: 5000)
        let plain = Self.coded(body, accept: nil)
        #expect(plain.header(named: "content-encoding") == nil)
        #expect(plain.header(named: "vary") == "Accept-Encoding")
        for (vary, expected) in [
            ("Origin", "Origin, Accept-Encoding"), ("*", "*"), ("accept-encoding", "accept-encoding"),
        ] {
            let response = Self.coded(body, headers: [("Content-Type", "text/plain"), ("Vary", vary)])
            #expect(response.header(named: "vary") == expected)
        }
    }

    @Test func `what must stay as it is stays`() {
        let body = [UInt8](repeating: 65, count: 5000)
        let type = ("Content-Type", "text/plain")
        for response in [
            Self.coded(body, status: 304), Self.coded(body, status: 206), Self.coded(body, headers: []),
            Self.coded(body, headers: [type, ("Content-Encoding", "br")]),
            Self.coded(body, headers: [("Content-Type", "image/png")]),
        ] {
            #expect(response.header(named: "content-encoding") != "gzip")
            #expect(response.header(named: "vary") == nil)
        }
        var generator = SplitMix(state: 1)
        let noise = (0..<5000).map { _ in UInt8.random(in: 0...255, using: &generator) }
        #expect(Self.coded(noise).header(named: "content-encoding") == nil)
    }

    @Test(arguments: [0, 1, 1000, 70_000, 1_000_000])
    func `gunzip gives back what was compressed`(byteCount: Int) async throws {
        var generator = SplitMix(state: UInt64(byteCount))
        let bytes = (0..<byteCount).map { _ in UInt8.random(in: 0...15, using: &generator) }
        let compressed = try #require(Gzip.compress(bytes))
        let file = FileManager.default.temporaryDirectory.appending(path: "belfry-\(UUID()).gz")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(compressed).write(to: file)
        let (data, status) = try await run("gzip", ["-dc", file.path])
        #expect(status == 0)
        #expect(Array(data) == bytes)
    }

    @Test func `curl and URLSession read a compressed answer`() async throws {
        let text = String(repeating: #"{"token":"0123456789abcdef"}"#, count: 1000)
        try await withServer(handler: { _ in .json(Array(text.utf8)) }) { server in
            let url = "http://127.0.0.1:\(server.port)/"
            let (body, _) = try await run("curl", ["-sS", "--compressed", url])
            #expect(String(decoding: body, as: UTF8.self) == text)
            let (head, _) = try await run("curl", ["-sSI", "-H", "Accept-Encoding: gzip", url])
            #expect(String(decoding: head, as: UTF8.self).contains("Content-Encoding: gzip\r\n"))
            let (data, _) = try await URLSession.shared.data(from: #require(URL(string: url)))
            #expect(String(decoding: data, as: UTF8.self) == text)

            try await offPool {
                let client = try WireClient(port: server.port)
                let plain = try client.request("GET /")
                #expect(plain.text == text)
                #expect(plain.header("vary") == "Accept-Encoding")
                let small = try client.request("GET /", headers: ["Accept-Encoding: gzip"])
                #expect(small.header("content-encoding") == "gzip")
                #expect(small.body.count < text.utf8.count / 10)
                let length = try client.request("HEAD /", headers: ["Accept-Encoding: gzip"]).header(
                    "content-length")
                #expect(length == "\(small.body.count)")
            }
        }
    }
}
