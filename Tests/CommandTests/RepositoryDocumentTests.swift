import Testing

@testable import belfry

/// What README and CONTRIBUTING promise exists.
@Suite struct RepositoryDocumentTests {
    static let documents = ["README.md", "README.zh-CN.md", "CONTRIBUTING.md"]

    /// Every command line of a document: the lines of fenced shell blocks, and inline code.
    static func commands(in document: String) throws -> [[String]] {
        let file = try #require(Repository.file(document))
        var found: [[String]] = []
        var isInShell = false
        var isInFence = false
        var block = ""
        for line in file.lines {
            if line.hasPrefix("```") {
                if isInShell {
                    found += block.split(separator: "\n").flatMap { ShellWords.commands(in: String($0)) }
                }
                block = ""
                isInFence.toggle()
                isInShell = isInFence && ["```sh", "```shell", "```console"].contains(line)
            } else if isInShell {
                // A backslash joins a line with the next one.
                block += line.hasSuffix("\\") ? String(line.dropLast()) : line + "\n"
            } else if !isInFence {
                for match in line.matches(of: /`((?:make|belfry|swift) [^`]+)`/) {
                    found += ShellWords.commands(in: String(match.1))
                }
            }
        }
        return found
    }

    @Test(arguments: documents) func `every make target that a document names exists`(
        _ document: String
    ) throws {
        let makefile = try #require(Repository.file("Makefile"))
        let targets = Set(makefile.lines.compactMap { $0.firstMatch(of: /^([a-z-]+):/).map { String($0.1) } })
        let commands = try Self.commands(in: document).filter { $0.first == "make" }
        #expect(!commands.isEmpty)
        for command in commands {
            for target in command.dropFirst() where !target.contains("=") {
                #expect(targets.contains(target), "\(document): make \(target)")
            }
        }
    }

    @Test(arguments: documents) func `every belfry command that a document names is accepted`(
        _ document: String
    ) throws {
        for command in try Self.commands(in: document) {
            // An ellipsis stands for what the reader fills in.
            guard let name = command.first?.split(separator: "/").last, name == "belfry",
                !command.contains("…")
            else { continue }
            #expect(throws: Never.self, "\(document): \(command)") { try DocumentedCommand.check(command) }
        }
    }

    @Test(arguments: documents) func `every link to a file of the repository leads somewhere`(
        _ document: String
    ) throws {
        let file = try #require(Repository.file(document))
        for match in file.text.matches(of: /\]\(([^)#:]+)\)/) {
            #expect(Repository.exists(String(match.1)), "\(match.1)")
        }
    }

    @Test func `the make targets are declared phony and explained`() throws {
        let makefile = try #require(Repository.file("Makefile"))
        let phony = makefile.lines.filter { $0.hasPrefix(".PHONY:") }.flatMap {
            $0.split(separator: " ").dropFirst()
        }
        for line in makefile.lines {
            guard let match = line.firstMatch(of: /^([a-z-]+):(.*)$/) else { continue }
            #expect(phony.contains(match.1), "\(match.1)")
            #expect(match.2.contains("## "), "\(match.1) has no help")
        }
    }

    @Test func `the changelog begins with what is not released, and knows the version`() throws {
        let changelog = try #require(Repository.file("CHANGELOG.md"))
        let headings = changelog.lines.filter { $0.hasPrefix("## ") }
        #expect(headings.first == "## [Unreleased]")
        if let latest = headings.dropFirst().first { #expect(latest.contains("[\(Version.number)]")) }
    }
}
