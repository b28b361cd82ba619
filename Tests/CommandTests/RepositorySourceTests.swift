import Testing

/// Rules for every source file that no compiler checks.
@Suite struct RepositorySourceTests {
    @Test func `no file names a path of somebody's machine`() {
        // Put together here, so that this file passes its own test.
        let folders = ["work", "root", "tmp/wt", "home"].map { "/" + $0 }
        var found: [String] = []
        for file in Repository.files() where folders.contains(where: file.text.contains) {
            for line in file.lines where folders.contains(where: { names(line, $0) }) {
                found.append("\(file.path): \(line)")
            }
        }
        #expect(found == [])
    }

    /// Whether a line has an absolute path that begins with a folder.
    private func names(_ line: Substring, _ folder: String) -> Bool {
        line.ranges(of: folder).contains { range in
            let before = line[..<range.lowerBound].last
            let after = line[range.upperBound...].first
            let isAbsolute = before.map { !$0.isLetter && !$0.isNumber && !"_.})~/-*".contains($0) } ?? true
            return isAbsolute && (after.map { !$0.isLetter && !$0.isNumber && !"._-".contains($0) } ?? true)
        }
    }

    @Test func `every step around the compiler's checks says why it holds`() {
        let steps = ["@unchecked " + "Sendable", "nonisolated(" + "unsafe)"]
        var unexplained: [String] = []
        for file in Repository.files(under: "Sources", suffix: ".swift") {
            guard steps.contains(where: file.text.contains) else { continue }
            let lines = file.lines
            for (index, line) in lines.enumerated() where steps.contains(where: line.contains) {
                if !isExplained(at: index, in: lines) { unexplained.append("\(file.path):\(index + 1)") }
            }
        }
        #expect(unexplained == [], "a comment has to name the invariant")
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
        var untidy: [String] = []
        for file in Repository.files() where file.path != "LICENSE" && !file.path.contains("/corpus/") {
            let isEndRight = file.text.hasSuffix("\n") && !file.text.hasSuffix("\n\n")
            let hasBlanks = file.lines.contains { $0.utf8.last == 0x20 || $0.utf8.last == 0x09 }
            if !isEndRight || hasBlanks { untidy.append(file.path) }
        }
        #expect(untidy == [])
    }

    @Test func `no file in Sources is a drawer`() {
        let drawers = Repository.files(under: "Sources").map(\.path).filter { path in
            let name = path.split(separator: "/").last ?? ""
            return ["Util", "Common.", "Helper", "Misc", "Placeholder"].contains(where: name.hasPrefix)
        }
        #expect(drawers == [])
    }
}

extension Substring {
    /// Without blanks at its start.
    fileprivate var trimmed: Substring { drop { $0 == " " || $0 == "\t" } }
}
