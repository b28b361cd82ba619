// Each begins on the caller's actor: what an app has asked for is counted before anybody else gets a turn, so that a
// phone at rest is at rest.

extension UNUserNotificationCenter {
    /// Asks for permission; the user sees a question the first time only.
    ///
    /// - Returns: whether the app may notify.
    @discardableResult
    public nonisolated(nonsending) func requestAuthorization(
        options: UNAuthorizationOptions = []
    ) async throws -> Bool {
        await withCheckedContinuation { continuation in
            requestAuthorization(options: options) { isGranted, _ in continuation.resume(returning: isGranted)
            }
        }
    }

    /// What the user allows.
    public nonisolated(nonsending) func notificationSettings() async -> UNNotificationSettings {
        await withCheckedContinuation { continuation in
            getNotificationSettings { continuation.resume(returning: $0) }
        }
    }

    /// The app's categories.
    public nonisolated(nonsending) func notificationCategories() async -> Set<UNNotificationCategory> {
        await withCheckedContinuation { continuation in
            getNotificationCategories { continuation.resume(returning: $0) }
        }
    }

    /// Schedules a request, in place of a pending one of the same identifier.
    ///
    /// - Throws: a `UNError` for content that cannot be shown.
    public nonisolated(nonsending) func add(_ request: UNNotificationRequest) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            service.add(request.record) { error in
                if let error { continuation.resume(throwing: error) } else { continuation.resume() }
            }
        }
    }

    /// The pending requests, in the order in which they were added.
    public nonisolated(nonsending) func pendingNotificationRequests() async -> [UNNotificationRequest] {
        await withCheckedContinuation { continuation in
            getPendingNotificationRequests { continuation.resume(returning: $0) }
        }
    }

    /// The notifications that are in the list, oldest first.
    public nonisolated(nonsending) func deliveredNotifications() async -> [UNNotification] {
        await withCheckedContinuation { continuation in
            getDeliveredNotifications { continuation.resume(returning: $0) }
        }
    }

    /// Sets the number on the app's icon; 0 removes it.
    ///
    /// - Throws: `badgeInputInvalid` for a number below 0.
    public nonisolated(nonsending) func setBadgeCount(_ newBadgeCount: Int) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            setBadgeCount(newBadgeCount) { (error: (any Error)?) in
                if let error { continuation.resume(throwing: error) } else { continuation.resume() }
            }
        }
    }
}
