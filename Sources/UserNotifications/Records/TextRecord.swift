internal import Foundation

/// A text of a notification: as it is, or a key of the app's strings that is looked up when it is shown.
package struct TextRecord: Hashable, Sendable, Codable, ExpressibleByStringLiteral {
    /// The text, or the key.
    package var text: String
    /// What replaces the key's placeholders; nil when the text is no key.
    package var arguments: [String]?

    package init(_ text: String = "", arguments: [String]? = nil) {
        self.text = text
        self.arguments = arguments
    }

    package init(stringLiteral value: String) { self.init(value) }

    package var isEmpty: Bool { text.isEmpty }

    /// Reads a text that an app set: one made by `localizedUserNotificationString` carries its key hidden.
    init(decoding text: String) {
        let scalars = text.unicodeScalars
        guard scalars.first == Self.start, scalars.last == Self.end, scalars.count >= 2 else {
            self.init(text)
            return
        }
        let parts = scalars.dropFirst().dropLast().split(
            separator: Self.separator, omittingEmptySubsequences: false)
        self.init(
            String(String.UnicodeScalarView(parts[0])),
            arguments: parts.dropFirst().map { String(String.UnicodeScalarView($0)) })
    }

    /// The form that travels through a `String`; the marks are private characters that no font has.
    var encoded: String {
        guard let arguments else { return text }
        var scalars = String.UnicodeScalarView([Self.start])
        scalars.append(contentsOf: text.unicodeScalars)
        for argument in arguments {
            scalars.append(Self.separator)
            scalars.append(contentsOf: argument.unicodeScalars)
        }
        scalars.append(Self.end)
        return String(scalars)
    }

    private static let start: Unicode.Scalar = "\u{10FFF0}"
    private static let separator: Unicode.Scalar = "\u{10FFF1}"
    private static let end: Unicode.Scalar = "\u{10FFF2}"

    /// The text as it is shown.
    ///
    /// - Parameter lookup: the app's strings in the language of the moment; nil when they lack the key.
    package func shown(_ lookup: (String) -> String?) -> String {
        guard let arguments else { return text }
        return Self.filled(lookup(text) ?? text, with: arguments)
    }

    /// Replaces `%@` and `%1$@` by arguments and `%%` by a percent sign; anything else stays as it is.
    ///
    /// Foundation's `String(format:)` reads past its arguments when a text has more placeholders than there are.
    static func filled(_ format: String, with arguments: [String]) -> String {
        var result = ""
        var rest = Substring(format)
        var next = 0
        while let percent = rest.firstIndex(of: "%") {
            result += rest[..<percent]
            rest = rest[rest.index(after: percent)...]
            if rest.first == "%" {
                result += "%"
                rest.removeFirst()
            } else if rest.first == "@" {
                result += next < arguments.count ? arguments[next] : ""
                next += 1
                rest.removeFirst()
            } else if let position = positionedArgument(&rest) {
                result +=
                    (1...arguments.count + 1).contains(position) && position <= arguments.count
                    ? arguments[position - 1] : ""
            } else {
                result += "%"
            }
        }
        return result + rest
    }

    /// Reads `1$@` after a percent sign.
    private static func positionedArgument(_ rest: inout Substring) -> Int? {
        let digits = rest.prefix { $0.isASCII && $0.isNumber }
        let tail = rest[digits.endIndex...]
        guard !digits.isEmpty, let position = Int(digits), tail.hasPrefix("$@") else { return nil }
        rest = tail.dropFirst(2)
        return position
    }
}
