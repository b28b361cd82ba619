import Foundation
import Testing

/// The parts of the library that only Apple's systems compile.
@Suite struct AppleTypeCheckTests {
    /// Tests/BelfryKitTests/Platform/AppleTypeCheckTests.swift is four steps down.
    private static let root: URL = (0..<4).reduce(URL(fileURLWithPath: #filePath)) { url, _ in
        url.deletingLastPathComponent()
    }

    @Test(.timeLimit(.minutes(10)))
    func `the code behind canImport(UIKit), and an app that uses it, type-check`()
        async throws
    {
        let process = Process()
        process.executableURL = Self.root.appendingPathComponent("scripts/typecheck-apple")
        var environment = ProcessInfo.processInfo.environment
        // The modules of this very build: asking SwiftPM for them would wait for the run that this test is part of.
        let products = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        var modules = products.deletingLastPathComponent()
        while modules.path != "/",
            !FileManager.default.fileExists(atPath: modules.appendingPathComponent("Modules").path)
        {
            modules.deleteLastPathComponent()
        }
        environment["MODULES"] = modules.appendingPathComponent("Modules").path
        process.environment = environment
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        let (status, text) = try await withCheckedThrowingContinuation {
            (continuation: CheckedContinuation<(Int32, String), any Error>) in
            Thread.detachNewThread {
                do {
                    try process.run()
                    let data = output.fileHandleForReading.readDataToEndOfFile()
                    process.waitUntilExit()
                    continuation.resume(
                        returning: (process.terminationStatus, String(decoding: data, as: UTF8.self)))
                } catch {
                    continuation.resume(throwing: error)
                }
            }
        }
        #expect(status == 0, "\(text)")
        #expect(text.contains("typecheck-apple: clean"))
    }

    /// iOS 15 is the oldest system: what came later must stand behind `#available`, which no check here sees.
    @Test(arguments: [
        "Mutex<", "import Synchronization", "Duration", "ContinuousClock", "SuspendingClock",
        "Task.sleep(for",
        "Regex", ".firstMatch(of", "URL(filePath", ".appending(path", "OSAllocatedUnfairLock", "Observable",
        "withDiscardingTaskGroup", "setBadgeCount", ".wholeMatch", "URL.documentsDirectory",
    ])
    func `nothing newer than iOS 15 is used`(name: String) throws {
        let folder = Self.root.appendingPathComponent("Sources/BelfryKit")
        let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
        var count = 0
        for case let file as URL in files where file.pathExtension == "swift" {
            count += 1
            let text = try String(contentsOf: file, encoding: .utf8)
            let lines = text.split(separator: "\n").filter { line in
                !line.drop(while: \.isWhitespace).hasPrefix("//")
            }
            #expect(!lines.contains { $0.contains(name) }, "\(file.lastPathComponent)")
        }
        #expect(count > 20)
    }
}
