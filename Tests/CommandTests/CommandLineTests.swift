import Synchronization
import Testing

@testable import belfry

/// Runs command lines inside the test process.
@Suite struct CommandLineTests {
    struct Result: Sendable {
        var status: CommandStatus
        var output: String
        var error: String
    }

    static func run(_ arguments: [String], environment: [String: String] = [:]) async -> Result {
        final class Streams: Sendable {
            let text = Mutex((output: "", error: ""))
        }
        let streams = Streams()
        let console = Console(
            writeOutput: { text in streams.text.withLock { $0.output += text } },
            writeError: { text in streams.text.withLock { $0.error += text } })
        let runner = CommandLineRunner(console: console, environment: environment, stop: StopRequest())
        let status = await runner.run(arguments)
        let text = streams.text.withLock { $0 }
        return Result(status: status, output: text.output, error: text.error)
    }

    @Test(arguments: [["version"], ["--version"], ["-v", "version"]])
    func `the version can be asked for in every usual way`(_ arguments: [String]) async {
        let result = await Self.run(arguments)
        #expect(result.status == .done)
        #expect(result.output.hasPrefix("belfry \(Version.number) ("))
        #expect(result.error.isEmpty)
    }

    @Test(arguments: [["version", "--json"], ["--json", "version"], ["--json", "--version"]])
    func `the version is an object with --json`(_ arguments: [String]) async {
        let result = await Self.run(arguments)
        #expect(result.output.hasPrefix("{\"platform\":"))
        #expect(result.output.hasSuffix("\"version\":\"\(Version.number)\"}\n"))
    }

    @Test func `help lists every verb on standard output`() async {
        for arguments in [["help"], ["--help"], ["-h"]] {
            let result = await Self.run(arguments)
            #expect(result.status == .done)
            for word in VerbTable.nextWords(after: []) { #expect(result.output.contains("\n  \(word) ")) }
        }
    }

    @Test func `no verb at all is a usage error with the help on standard error`() async {
        let result = await Self.run([])
        #expect(result.status == .usage)
        #expect(result.output.isEmpty)
        #expect(result.error.contains("Usage: belfry VERB"))
    }

    @Test(arguments: [
        (["verison"], "unknown verb 'verison'; did you mean version?"),
        (["version", "--jso"], "version: unknown option --jso; did you mean --json?"),
        (["version", "extra"], "version: unexpected argument 'extra'"),
        (["help", "nothing"], "help: unknown verb 'nothing'"),
        (["completion", "tcsh"], "completion: SHELL: found 'tcsh'; allowed: bash, zsh, fish"),
        (["--", "version"], "unknown verb '--'"),
    ])
    func `a wrong command line exits 2 and says what is wrong`(
        _ arguments: [String], _ message: String
    ) async {
        let result = await Self.run(arguments)
        #expect(result.status == .usage)
        #expect(result.output.isEmpty)
        #expect(result.error.hasPrefix("belfry: " + message))
    }

    @Test func `a long example is broken before its options and still one command`() {
        let command = "belfry push --direct " + (1...20).map { "--title value-\($0)" }.joined(separator: " ")
        let shown = HelpText.continued(command, indent: 2)
        #expect(shown.contains(" \\\n      --title"))
        #expect(ShellWords.commands(in: shown) == ShellWords.commands(in: command))
    }

    @Test func `every verb shows its options and examples`() async {
        for declaration in VerbTable.declarations {
            let result = await Self.run(declaration.words + ["--help"])
            #expect(result.status == .done)
            #expect(await Self.run(["help"] + declaration.words).output == result.output)
            for option in declaration.allOptions { #expect(result.output.contains("--\(option.name)")) }
            for example in declaration.examples {
                #expect(result.output.contains(HelpText.continued(example.command, indent: 2)))
            }
            #expect(result.output.split(separator: "\n").filter { $0.count > HelpText.width } == [])
        }
    }
}
