internal import Foundation

extension TextStyle {
    // The names that Foundation, AppKit and UIKit give these attributes.
    private static let intent = NSAttributedString.Key(rawValue: "NSInlinePresentationIntent")
    // Bits of Foundation's `InlinePresentationIntent`.
    private static let emphasized: UInt = 1
    private static let stronglyEmphasized: UInt = 2
    private static let underline = NSAttributedString.Key(rawValue: "NSUnderline")
    private static let link = NSAttributedString.Key(rawValue: "NSLink")

    /// The styles of a text that a notification can show: emphasis, underlines and links.
    static func styles(of text: NSAttributedString) -> [TextStyle] {
        var styles: [TextStyle] = []
        text.enumerateAttributes(in: NSRange(location: 0, length: text.length), options: []) {
            found, range, _ in
            var style = TextStyle(start: range.location, count: range.length)
            let intent = (found[intent] as? NSNumber)?.uintValue ?? found[intent] as? UInt ?? 0
            style.isItalic = intent & emphasized != 0
            style.isBold = intent & stronglyEmphasized != 0
            let underline = (found[underline] as? NSNumber)?.intValue ?? found[underline] as? Int ?? 0
            style.isUnderlined = underline != 0
            style.link = (found[link] as? URL)?.absoluteString ?? found[link] as? String
            if !style.isPlain { styles.append(style) }
        }
        return styles
    }
}
