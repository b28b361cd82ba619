import Foundation
import Testing

@testable import Transport

/// Replays what the fuzzer starts from and what it once found, with every byte changed in turn.
struct HTTP2CorpusTests {
    private static let files: [URL] = {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Fuzz/corpus/http2-frames")
        return (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil))
            ?? []
    }()

    @Test func `the corpus is there`() {
        #expect(Self.files.count >= 10)
    }

    @Test(arguments: files)
    func `frames out of order, cut or changed end in an error or are answered, and streams end once`(
        file: URL
    ) throws {
        let bytes = Array(try Data(contentsOf: file).dropFirst())
        for position in -1..<bytes.count {
            var changed = bytes
            if position >= 0 { changed[position] ^= UInt8(truncatingIfNeeded: 1 << (position % 8)) }
            try replay(changed)
        }
    }

    private func replay(_ bytes: [UInt8]) throws {
        let pair = try SessionPair(server: HTTP2Settings(maxConcurrentStreams: 10, bodyByteCountMax: 100))
        for tag in 0..<4 { pair.request(tag, body: [UInt8(tag)]) }
        _ = try SessionPair.output(of: pair.client)
        for (session, greeting) in [(pair.client, []), (pair.server, RawFrames.preface)] {
            try? pair.deliver(greeting + RawFrames.frame(.settings) + bytes, to: session)
            _ = try? SessionPair.output(of: session)
            session.abandonOpenStreams(errorCode: .connectError)
        }
        pair.takeServerEvents()
        pair.takeClientEvents()
        #expect(pair.answers.count == 4)
        #expect(pair.client.open.isEmpty && pair.server.open.isEmpty)
    }
}
