/// Texts in the markup of notification services: `<b>`, `<i>`, `<u>` and `<a href="…">`, everything else escaped.
///
/// Source: Desktop Notifications Specification 1.2, "Markup".
enum DesktopMarkup {
    static func escaped(_ text: some StringProtocol) -> String {
        var result = ""
        for character in text.unicodeScalars {
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            default: result.unicodeScalars.append(character)
            }
        }
        return result
    }

    /// A text with its styles; styles that lie outside it or overlap an earlier one are left out.
    static func marked(_ text: String, styles: [TextStyle], hasLinks: Bool) -> String {
        let units = Array(text.utf16)
        var result = ""
        var position = 0
        for style in styles.sorted(by: { $0.start < $1.start }) {
            guard style.start >= position, style.count > 0, style.start <= units.count,
                style.count <= units.count - style.start
            else { continue }
            let end = style.start + style.count
            result += escaped(String(decoding: units[position..<style.start], as: UTF16.self))
            result += marked(String(decoding: units[style.start..<end], as: UTF16.self), style, hasLinks)
            position = end
        }
        return result + escaped(String(decoding: units[position...], as: UTF16.self))
    }

    private static func marked(_ text: String, _ style: TextStyle, _ hasLinks: Bool) -> String {
        var result = escaped(text)
        if style.isUnderlined { result = "<u>\(result)</u>" }
        if style.isItalic { result = "<i>\(result)</i>" }
        if style.isBold { result = "<b>\(result)</b>" }
        if hasLinks, let link = style.link { result = "<a href=\"\(escaped(link))\">\(result)</a>" }
        return result
    }
}
