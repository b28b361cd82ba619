/// What to show and when: the value behind a request object.
package struct RequestRecord: Hashable, Sendable, Codable {
    package var identifier: String
    package var content: ContentRecord
    /// Nil for at once.
    package var trigger: TriggerRecord?

    package init(identifier: String, content: ContentRecord, trigger: TriggerRecord? = nil) {
        self.identifier = identifier
        self.content = content
        self.trigger = trigger
    }
}
