import Testing

/// Tests/ReportedFaults.md: every test that it names is there.
@Suite struct RepositoryFaultTests {
    private static let document = "Tests/ReportedFaults.md"

    private struct Row {
        var fault: String
        var reports: String
        var tests: [(suite: String, name: String)]
    }

    private static func rows() throws -> [Row] {
        let file = try #require(Repository.file(document))
        return file.lines.filter {
            $0.hasPrefix("| ") && !$0.hasPrefix("| ---") && !$0.hasPrefix("| Fault |")
        }
        .map { line in
            let cells = line.split(separator: "|").map { String($0) }
            let tests = (cells.last ?? "").matches(of: /([A-Za-z0-9_.]+) `([^`]+)`/)
            return Row(
                fault: cells.first ?? "", reports: cells.dropFirst().first ?? "",
                tests: tests.map { (String($0.1), String($0.2)) })
        }
    }

    @Test func `every reported fault has a test`() throws {
        let rows = try Self.rows()
        #expect(rows.count > 40)
        for row in rows {
            #expect(!row.tests.isEmpty, "\(row.fault)")
            #expect(row.reports.contains { $0 != " " }, "\(row.fault)")
        }
    }

    @Test func `every test that the table names exists`() throws {
        // Suites of one name in several modules count as one.
        var names: [String: Set<String>] = [:]
        for file in Repository.files(under: "Tests", suffix: ".swift") {
            let suites = file.text.matches(of: /struct ([A-Za-z0-9_]+)/).map { String($0.1) }
            let functions = file.text.matches(of: /func `([^`]+)`/).map { String($0.1) }
            for suite in suites { names[suite, default: []].formUnion(functions) }
        }
        for file in Repository.files(under: "Tests/Interop", suffix: ".py") {
            let functions = file.text.matches(of: /def (test_[A-Za-z0-9_]+)/).map { String($0.1) }
            names[file.path.split(separator: "/").last.map(String.init) ?? "", default: []]
                .formUnion(functions)
        }
        var missing: [String] = []
        for row in try Self.rows() {
            for test in row.tests where names[test.suite]?.contains(test.name) != true {
                missing.append("\(test.suite) `\(test.name)`")
            }
        }
        #expect(missing == [])
    }
}
