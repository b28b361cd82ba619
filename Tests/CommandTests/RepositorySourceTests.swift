import Testing

/// Rules for every source file that no compiler checks.
@Suite struct RepositorySourceTests {
    @Test func `no file names a path of somebody's machine`() {
        // Put together here, so that this file passes its own test.
        let folders = ["work", "root", "tmp/wt", "home/[a-z]"].joined(separator: "|")
        guard let pattern = try? Regex("(^|[^A-Za-z0-9_.})~/-])/(\(folders))(/|[^A-Za-z0-9_.-]|$)") else {
            Issue.record("the pattern does not compile")
            return
        }
        for file in Repository.files() {
            for line in file.lines where line.contains("/") {
                #expect(line.firstMatch(of: pattern) == nil, "\(file.path): \(line)")
            }
        }
    }

    @Test func `every step around the compiler's checks says why it holds`() {
        let steps = ["@unchecked " + "Sendable", "nonisolated(" + "unsafe)", "Unmanaged" + ".passRetained"]
        for file in Repository.files(under: "Sources", suffix: ".swift") {
            let lines = file.lines
            for (index, line) in lines.enumerated() where steps.contains(where: line.contains) {
                #expect(
                    isExplained(at: index, in: lines),
                    "\(file.path):\(index + 1): no comment with the invariant")
            }
        }
    }

    /// A comment on the line, or directly above the declaration it belongs to.
    private func isExplained(at index: Int, in lines: [Substring]) -> Bool {
        if isComment(lines[index]) || lines[index].contains(" // ") { return true }
        // Attributes, and further steps of the same group, may stand between.
        for line in lines[..<index].reversed() {
            if isComment(line) { return true }
            let isSameGroup = line.contains("nonisolated(" + "unsafe)") || line.trimmed.hasPrefix("@")
            if !isSameGroup { return false }
        }
        return false
    }

    private func isComment(_ line: Substring) -> Bool { line.trimmed.hasPrefix("//") }

    @Test func `every file ends with one line feed and has no trailing blanks`() {
        for file in Repository.files() where file.path != "LICENSE" {
            #expect(file.text.hasSuffix("\n") && !file.text.hasSuffix("\n\n"), "\(file.path)")
            #expect(!file.lines.contains { $0.hasSuffix(" ") || $0.hasSuffix("\t") }, "\(file.path)")
        }
    }

    @Test func `no file in Sources is a drawer`() {
        for file in Repository.files(under: "Sources") {
            let name = file.path.split(separator: "/").last ?? ""
            for word in ["Util", "Common.", "Helper", "Misc", "Placeholder"] {
                #expect(!name.hasPrefix(word), "\(file.path)")
            }
        }
    }
}

extension Substring {
    /// Without blanks at its start.
    fileprivate var trimmed: Substring { drop { $0 == " " || $0 == "\t" } }
}
