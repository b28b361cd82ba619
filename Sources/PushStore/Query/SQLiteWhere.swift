internal import APNs
package import Recurrence
internal import SQLite

/// A condition as SQL for the SQLite store's tables.
///
/// A statement is put together as `SELECT … FROM \(source) WHERE \(condition)`, values in that order, on a
/// connection that ``SQLiteFunctions`` were registered on. The condition names the app, so that no statement
/// sees another app's rows. Names and values from outside are bound, also the paths into the attributes.
package struct SQLiteWhere: Sendable {
    /// What the statement does with the rows.
    package enum Purpose: Sendable {
        /// It reads all that match at once: counting, finding, deleting.
        case whole
        /// It goes through all rows page by page, each page going on where the last one ended: no page may
        /// cost more than its rows.
        case walk
    }

    /// What stands after FROM: the table `installations` as `i`, joined to a channel where that finds the rows.
    package private(set) var source: SQLFragment
    /// What stands after WHERE.
    package private(set) var condition: SQLFragment
    /// The row's number, to be compared and sorted by in a walk.
    package private(set) var number: String
    /// The distance of `$nearSphere`, to sort by when nothing else is asked; nil without one.
    package private(set) var distance: SQLFragment?

    /// Makes the SQL of a condition; of all rows of an app when it is nil.
    package init(
        _ clause: WhereClause?, app: Int64, now: Instant, purpose: Purpose = .whole,
        interests: InterestScale = InterestScale()
    ) {
        let root = clause?.node ?? .all([])
        var compiler = SQLiteWhereCompiler(app: app, now: now, purpose: purpose, interests: interests)
        compiler.drivingChannel = SQLiteWhere.drivingChannel(root)
        if let channel = compiler.drivingChannel {
            source = SQLFragment(
                """
                installation_channels AS d CROSS JOIN installations AS i \
                ON d.app = ? AND d.channel = ? AND i.number = d.installation
                """, [.integer(app), .text(channel)])
            number = "d.installation"
        } else {
            source = SQLFragment("installations AS i")
            number = "i.number"
        }
        // Every index begins with the app. One that orders by anything but the number would have SQLite fetch
        // most of the table in random order, ten times as slow as reading it from front to back.
        condition =
            SQLiteWhere.isLookup(root)
            ? SQLFragment("i.app = ? AND ", [.integer(app)]) : SQLFragment("+i.app = ? AND ", [.integer(app)])
        condition.append(compiler.compile(root, isConjunct: true))
        distance = SQLiteWhere.nearest(root).map(SQLiteWhereCompiler.distance)
    }

    /// What to sort by for a key of a query, as `order` gives it.
    ///
    /// - Throws: code 105 for what is no key.
    package static func order(by key: String) throws(ChangeError) -> SQLFragment {
        SQLiteWhereCompiler.sortKey(try WhereField(key))
    }

    /// Whether an index finds the handful of rows that can match.
    private static func isLookup(_ root: WhereNode) -> Bool {
        conjuncts(root).contains { condition in
            guard case .isIn(let values) = condition.test, !condition.isNegated, !values.contains(.null)
            else {
                return false
            }
            return switch condition.field {
            case .builtIn(.objectID), .builtIn(.deviceToken), .builtIn(.installationID): true
            default: false
            }
        }
    }

    /// A channel that every match is in, when walking its members is the best way to find them.
    private static func drivingChannel(_ root: WhereNode) -> String? {
        guard !isLookup(root) else { return nil }
        for condition in conjuncts(root) where condition.field == .channels && !condition.isNegated {
            switch condition.test {
            case .isIn(let values):
                if values.count == 1, case .string(let name) = values[0] { return name }
            case .hasAll(let values):
                if case .string(let name)? = values.first { return name }
            default: break
            }
        }
        return nil
    }

    private static func nearest(_ root: WhereNode) -> (keys: [String], place: Place)? {
        for condition in conjuncts(root) {
            if case .isNear(let place, _) = condition.test, case .attribute(let keys) = condition.field {
                return (keys, place)
            }
        }
        return nil
    }

    /// The conditions that every match holds.
    private static func conjuncts(_ node: WhereNode) -> [WhereCondition] {
        switch node {
        case .all(let nodes): nodes.flatMap(conjuncts)
        case .condition(let condition): [condition]
        case .any, .not: []
        }
    }
}
