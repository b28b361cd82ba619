import Testing

/// The README's module table is the law: a module imports only modules above it.
@Suite struct RepositoryModuleTests {
    struct Row: Sendable {
        var modules: [String]
        var mayImport: Set<String>
    }

    /// The rows of the table under "## Modules": modules, what lives there, what they may import.
    static func table() throws -> [Row] {
        let readme = try #require(Repository.file("README.md"))
        let section = readme.lines.drop { $0 != "## Modules" }.dropFirst().prefix { !$0.hasPrefix("## ") }
        return section.filter { $0.hasPrefix("| `") }.map { line in
            let cells = line.split(separator: "|").map(String.init)
            return Row(modules: names(cells[0]), mayImport: Set(names(cells.last ?? "")))
        }
    }

    /// The names between backticks.
    static func names(_ cell: String) -> [String] {
        cell.matches(of: /`([A-Za-z0-9]+)`/).map { String($0.1) }
    }

    /// Module names that the Swift files of a module import, with their access level.
    static func imports(of module: String) -> [(module: String, line: String)] {
        Repository.files(under: "Sources/\(module)", suffix: ".swift").flatMap(\.lines).compactMap { line in
            guard line.contains("import "),
                let match = line.firstMatch(
                    of: /^\s*(?:@[\w()]+ )*(?:\w+ )?import (?:struct |class |enum |func )?(\w+)/)
            else { return nil }
            return (String(match.1), String(line))
        }
    }

    @Test func `the table names every module once, and no other`() throws {
        let named = try Self.table().flatMap(\.modules)
        #expect(!named.isEmpty)
        #expect(named.sorted() == (try Repository.modules()))
    }

    @Test func `a module imports only what its row allows, and only rows above it`() throws {
        var above: Set<String> = []
        let table = try Self.table()
        let all = Set(table.flatMap(\.modules))
        var wrong: Set<String> = []
        for row in table {
            #expect(row.mayImport.isSubset(of: above), "\(row.modules) may import a module that is not above")
            for module in row.modules {
                for found in Self.imports(of: module) where all.contains(found.module) {
                    if !row.mayImport.contains(found.module) { wrong.insert("\(module): \(found.line)") }
                }
            }
            above.formUnion(row.modules)
        }
        #expect(wrong == [])
    }

    @Test func `each C module is imported by exactly one Swift module, and never publicly`() throws {
        let modules = try Repository.modules()
        let cModules = modules.filter { Repository.file("Sources/\($0)/module.modulemap") != nil }
        #expect(!cModules.isEmpty)
        var importers: [String: Set<String>] = [:]
        var isPublic: [String] = []
        for module in modules {
            for found in Self.imports(of: module) where cModules.contains(found.module) {
                importers[found.module, default: []].insert(module)
                if found.line.contains("public import") || found.line.contains("package import") {
                    isPublic.append("\(module): \(found.line)")
                }
            }
        }
        #expect(isPublic == [])
        for module in cModules {
            #expect(importers[module, default: []].count <= 1, "\(module): \(importers[module, default: []])")
        }
    }
}
