import APNs
import PushStore
import SQLite
import Testing

/// The database and the evaluator decide alike.
struct WhereEquivalenceTests {
    @Test(arguments: 0..<48)
    func `a generated condition matches the same rows in the database and in memory`(seed: UInt64) throws {
        var generator = WhereGenerator(seed: seed)
        let table = try WhereTable()
        var objects: [(number: Int64, object: [String: JSONValue])] = []
        for _ in 0..<60 {
            let object = generator.object()
            objects.append((try table.insert(object), object))
        }
        var matchCount = 0
        for _ in 0..<100 {
            let json = generator.clause()
            let text = String(decoding: try json.encoded(), as: UTF8.self)
            let clause: WhereClause
            do {
                clause = try WhereClause(json)
            } catch {
                Issue.record("\(error) for \(text)")
                continue
            }
            let expected = objects.filter { clause.matches($0.object) }.map(\.number)
            matchCount += expected.count
            for purpose in [SQLiteWhere.Purpose.whole, .walk] {
                let found: [Int64]
                do {
                    found = try table.numbers(clause, purpose: purpose)
                } catch {
                    Issue.record("\(error) for \(text)")
                    continue
                }
                guard found != expected else { continue }
                let difference = Set(found).symmetricDifference(expected)
                let first = objects.first { difference.contains($0.number) }
                let object = try first.map {
                    String(decoding: try JSONValue.object($0.object).encoded(), as: UTF8.self)
                }
                Issue.record(
                    """
                    seed \(seed), \(purpose): \(text)
                    in the database \(found.contains(first?.number ?? 0)): \(object ?? "none")
                    """)
            }
            for (_, object) in objects.prefix(10) {
                #expect(clause.failures(in: object).isEmpty == clause.matches(object), "\(text)")
            }
        }
        // A generator whose conditions match nothing or all would prove little.
        #expect((600...5400).contains(matchCount), "\(matchCount) matches of 6000")
    }
}
