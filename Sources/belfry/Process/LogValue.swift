/// A value that a log line can carry.
protocol LogValue: Sendable {
    /// The value after `key=`: quoted when it would not read back as one word.
    var logText: String { get }
    var logJSON: String { get }
}

extension Int: LogValue {
    var logText: String { String(self) }
    var logJSON: String { String(self) }
}

extension Bool: LogValue {
    var logText: String { String(self) }
    var logJSON: String { String(self) }
}

extension Duration: LogValue {
    /// Seconds, as in `0.25`: a unit in the value would keep a reader from adding up.
    var logText: String { logJSON }
    var logJSON: String {
        let (seconds, attoseconds) = components
        return String(Double(seconds) + Double(attoseconds) / 1e18)
    }
}

extension String: LogValue {
    var logText: String {
        let needsQuotes = unicodeScalars.contains { scalar in
            scalar.value <= 0x20 || scalar.value == 0x7F || "\"=\\".unicodeScalars.contains(scalar)
        }
        return isEmpty || needsQuotes ? logJSON : self
    }

    /// A JSON string: a line feed inside a value cannot start a new log line.
    var logJSON: String {
        var text = "\""
        for scalar in unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F:
                let hex = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text + "\""
    }
}
