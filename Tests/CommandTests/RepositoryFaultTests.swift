import Testing

/// The tables of reported faults: every test that they name is there.
@Suite struct RepositoryFaultTests {
    /// Each with the rows that it has at least.
    private static let documents = ["Tests/ReportedFaults.md": 40, "Tests/ReportedReminderFaults.md": 46]

    private struct Row {
        var fault: String
        var reports: String
        var tests: [(suite: String, name: String)]
    }

    private static func rows(_ document: String) throws -> [Row] {
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

    @Test(arguments: documents) func `every reported fault has a test`(
        document: String, countMin: Int
    ) throws {
        let rows = try Self.rows(document)
        #expect(rows.count > countMin)
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
        for row in try Self.documents.keys.flatMap({ try Self.rows($0) }) {
            for test in row.tests where names[test.suite]?.contains(test.name) != true {
                missing.append("\(test.suite) `\(test.name)`")
            }
        }
        #expect(missing == [])
    }
}
