extension Belfry.Hooks {
    /// Makes hooks that plan an app's reminders when they have to be, and take them back when the user signs out.
    ///
    /// - Parameters:
    ///   - reminders: the app's.
    ///   - report: takes what went wrong where nobody waits for an error.
    public init(reminders: Reminders, report: @escaping @Sendable (BelfryKitError) -> Void = { _ in }) {
        self.init()
        self.report = report
        replan = { await reminders.replan() }
        clearReminders = {
            do throws(BelfryKitError) {
                try await reminders.cancelAll(removingDelivered: true)
            } catch {
                report(error)
            }
        }
    }
}
