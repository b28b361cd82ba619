internal import Foundation

/// The strings of the running program's bundle.
enum AppStrings {
    static func localizedString(forKey key: String) -> String? {
        // A text that no bundle holds tells a missing key from one that is its own translation.
        let missing = "\u{10FFF3}"
        let found = Bundle.main.localizedString(forKey: key, value: missing, table: nil)
        return found == missing ? nil : found
    }
}
