/// What the value of an option may be: how it is read, its name in help texts, what an error says is allowed.
struct ValueKind<Value: Sendable>: Sendable {
    /// The word that stands for the value in help texts: `PORT`.
    var placeholder: String
    /// Ends the sentence "allowed: …".
    var allowed: String
    /// Every possible value, where there is a short list; offered by shell completion and suggestions.
    var choices: [String] = []
    /// Whether shell completion offers file names.
    var isPath = false
    /// The value that a text stands for; nil when the text is not allowed.
    var read: @Sendable (String) -> Value?
}

extension ValueKind where Value == String {
    static func text(_ placeholder: String, _ allowed: String = "any text but the empty one") -> Self {
        Self(placeholder: placeholder, allowed: allowed) { $0.isEmpty ? nil : $0 }
    }

    static func path(_ placeholder: String) -> Self {
        Self(placeholder: placeholder, allowed: "a path", isPath: true) { $0.isEmpty ? nil : $0 }
    }

    /// Any text; the suggestions are for shell completion.
    static func anything(_ placeholder: String, suggesting choices: [String]) -> Self {
        Self(placeholder: placeholder, allowed: "any text", choices: choices) { $0 }
    }

    static func choice(_ placeholder: String, _ choices: [String]) -> Self {
        Self(placeholder: placeholder, allowed: choices.joined(separator: ", "), choices: choices) {
            choices.contains($0) ? $0 : nil
        }
    }
}

extension ValueKind where Value: CaseIterable & RawRepresentable, Value.RawValue == String {
    static func choice(_ placeholder: String) -> Self {
        let choices = Value.allCases.map(\.rawValue)
        return Self(placeholder: placeholder, allowed: choices.joined(separator: ", "), choices: choices) {
            Value(rawValue: $0)
        }
    }
}

extension ValueKind where Value == Int {
    static func integer(_ placeholder: String, _ range: ClosedRange<Int>) -> Self {
        Self(
            placeholder: placeholder,
            allowed: "a whole number from \(range.lowerBound) to \(range.upperBound)"
        ) { text in
            // Int(_:) also takes a leading plus sign.
            Int(text).flatMap { range.contains($0) && !text.hasPrefix("+") ? $0 : nil }
        }
    }

    /// A TCP port; 0 lets the system choose a free one.
    static let port = integer("PORT", 0...65535)
}

extension ValueKind where Value == Double {
    static func number(_ placeholder: String, _ range: ClosedRange<Double>) -> Self {
        Self(
            placeholder: placeholder,
            allowed: "a number from \(range.lowerBound) to \(range.upperBound)"
        ) { text in
            Double(text).flatMap { range.contains($0) ? $0 : nil }
        }
    }
}

extension ValueKind where Value == Duration {
    /// A length of time: `250ms`, `30s`, `5m`, `2h`, `1d`.
    static func duration(_ placeholder: String = "TIME", max: Duration = .seconds(366 * 86400)) -> Self {
        Self(
            placeholder: placeholder,
            allowed: "a whole number with its unit, such as 250ms, 30s, 5m, 2h or 1d"
        ) { text in
            let digits = text.prefix { $0.isASCII && $0.isNumber }
            guard let count = Int64(digits), count <= 1_000_000_000_000 else { return nil }
            let milliseconds: Int64
            switch text.dropFirst(digits.count) {
            case "ms": milliseconds = 1
            case "s": milliseconds = 1000
            case "m": milliseconds = 60_000
            case "h": milliseconds = 3_600_000
            case "d": milliseconds = 86_400_000
            default: return nil
            }
            let duration = Duration.milliseconds(count) * milliseconds
            return duration <= max ? duration : nil
        }
    }
}
