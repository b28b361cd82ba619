import Testing

@Suite struct ShellWordsTests {
    @Test(arguments: [
        ("belfry lint a.json", [["belfry", "lint", "a.json"]]),
        ("belfry lint 'a b' \"c d\" # why", [["belfry", "lint", "a b", "c d"]]),
        (
            "cat x | belfry lint - > out && make test",
            [["cat", "x"], ["belfry", "lint", "-"], ["make", "test"]]
        ),
        ("eval \"$(belfry completion bash)\"", [["belfry", "completion", "bash"], ["eval", "$()"]]),
        ("belfry gateway \\\n  --open", [["belfry", "gateway", "--open"]]),
        ("belfry gateway --json 2>log &", [["belfry", "gateway", "--json"]]),
        ("", []), ("# only a comment", []),
    ])
    func `a line falls into commands and words`(_ line: String, _ expected: [[String]]) {
        #expect(ShellWords.commands(in: line) == expected)
    }
}
