internal import CPostgreSQL

/// What `NOTIFY` sent.
public struct ServerNotification: Sendable, Hashable {
    /// The channel's name.
    public var channel: String
    /// The text that came along.
    public var payload: String
}

extension Session {
    /// The most notifications one call hands out; the rest comes with the next.
    static let notificationCountMax = 1_000

    /// Begins to listen on a channel.
    ///
    /// - Parameter channel: Written in the source: a lower-case name.
    public func listen(_ channel: StaticString) throws(PostgreSQLError) {
        try executeScript("LISTEN \(channel)")
    }

    /// Tells everybody who listens on a channel, once the transaction is committed.
    public func notify(_ channel: String, _ payload: String = "") throws(PostgreSQLError) {
        try query("SELECT pg_notify($1, $2)", [.text(channel), .text(payload)])
    }

    /// Waits for notifications.
    ///
    /// - Returns: Those that have come; none when the time is over.
    /// - Throws: `connectionLost`.
    public func waitForNotifications(milliseconds: Int) throws(PostgreSQLError) -> [ServerNotification] {
        guard !isBroken else { throw lost() }
        let deadline = MonotonicTime.milliseconds() + Int64(milliseconds)
        while true {
            let found = takeNotifications()
            if !found.isEmpty { return found }
            guard wait(forOutput: false, until: deadline) else { return [] }
            guard PQconsumeInput(handle) == 1, PQstatus(handle) == CONNECTION_OK else { throw lost() }
        }
    }

    private func takeNotifications() -> [ServerNotification] {
        var found: [ServerNotification] = []
        while found.count < Self.notificationCountMax, let notification = PQnotifies(handle) {
            found.append(
                ServerNotification(
                    channel: String(cString: notification.pointee.relname),
                    payload: notification.pointee.extra.map { String(cString: $0) } ?? ""))
            PQfreemem(notification)
        }
        return found
    }
}
