public import Foundation

/// What a notification centre remembers, also over a restart: for a host to keep, without looking inside.
public struct NotificationState: Hashable, Sendable, Codable {
    package var settings = SettingsRecord()
    /// The raw value of the options that were asked for.
    package var requestedOptions: UInt = 0
    /// Whether the user has answered the prompt.
    package var isPromptAnswered = false
    /// When an App Clip's permission ends, in milliseconds since 1970.
    package var ephemeralEndMilliseconds: Int64?
    package var categories: [String: CategoryRecord] = [:]
    package var pending: [String: PendingRecord] = [:]
    /// In order of delivery.
    package var delivered: [NotificationRecord] = []
    package var badge = 0
    package var nextSequence = 0

    /// Makes the state of an app that was never started.
    public init() {}

    /// Reads a state that `encoded` wrote.
    ///
    /// - Throws: a decoding error when the bytes are no such state.
    public init(decoding data: Data) throws {
        self = try JSONDecoder().decode(NotificationState.self, from: data)
    }

    /// The state as JSON.
    ///
    /// - Throws: an encoding error when a number in it has no JSON form.
    public func encoded() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        return try encoder.encode(self)
    }

    /// Forgets what is in the list: what a backup does not carry to another device.
    package mutating func leaveDelivered() {
        delivered = []
        badge = 0
    }

    /// The files that requests and delivered notifications need.
    package var attachmentPaths: Set<String> {
        var paths: Set<String> = []
        for record in pending.values { paths.formUnion(record.request.content.attachments.map(\.path)) }
        for record in delivered { paths.formUnion(record.request.content.attachments.map(\.path)) }
        return paths
    }
}
