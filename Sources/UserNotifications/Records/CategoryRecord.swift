/// A kind of notification with its buttons.
package struct CategoryRecord: Hashable, Sendable, Codable {
    package var identifier: String
    package var actions: [ActionRecord]
    package var intentIdentifiers: [String]
    package var hiddenPreviewsBodyPlaceholder: TextRecord
    package var categorySummaryFormat: TextRecord
    /// The raw value of `UNNotificationCategoryOptions`.
    package var options: UInt

    package var reportsDismissal: Bool { options & 1 != 0 }

    package func action(_ identifier: String) -> ActionRecord? {
        actions.first { $0.identifier == identifier }
    }
}
