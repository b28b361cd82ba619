extension UNUserNotificationCenter {
    /// Makes a centre the one that `current()` gives in the whole process; nil goes back to the machine's.
    public static func install(_ center: UNUserNotificationCenter?) {
        NotificationScope.install(center)
    }

    /// Runs something in which `current()` gives a centre, in child tasks too: for several apps in one process.
    public static func withCurrent<Value>(
        _ center: UNUserNotificationCenter, _ body: () throws -> Value
    ) rethrows -> Value {
        try NotificationScope.$center.withValue(center) { try body() }
    }

    /// Runs something in which `current()` gives a centre, in child tasks too: for several apps in one process.
    nonisolated(nonsending) public static func withCurrent<Value>(
        _ center: UNUserNotificationCenter, _ body: nonisolated(nonsending) () async throws -> Value
    ) async rethrows -> Value {
        try await NotificationScope.$center.withValue(center) { try await body() }
    }
}
