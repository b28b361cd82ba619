/// Writes metrics as Prometheus' text format has them.
package struct MetricsPage: Sendable {
    /// The text so far.
    package private(set) var text = ""
    private var name = ""

    /// An empty page.
    package init() {}

    /// Begins a metric.
    package mutating func begin(_ name: String, _ type: String, _ help: String) {
        self.name = name
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
    }

    /// Adds a sample of the metric that was begun last.
    ///
    /// - Parameter suffix: `_bucket`, `_sum` or `_count` of a histogram.
    package mutating func add(_ labels: [String: String], suffix: String = "", _ value: Int64) {
        add(labels, suffix: suffix, "\(value)")
    }

    package mutating func add(_ labels: [String: String], suffix: String = "", _ value: String) {
        text += name + suffix
        if !labels.isEmpty {
            let pairs = labels.sorted { $0.key < $1.key }.map { "\($0.key)=\"\(Self.escaped($0.value))\"" }
            text += "{" + pairs.joined(separator: ",") + "}"
        }
        text += " \(value)\n"
    }

    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for character in text.unicodeScalars {
            switch character {
            case "\\": escaped += "\\\\"
            case "\"": escaped += "\\\""
            case "\n": escaped += "\\n"
            default: escaped.unicodeScalars.append(character)
            }
        }
        return escaped
    }
}
