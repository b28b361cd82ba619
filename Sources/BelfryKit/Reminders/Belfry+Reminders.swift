extension Belfry.Hooks {
    /// Makes hooks that plan an app's reminders when they have to be, and take them back when the user signs out.
    public init(reminders: Reminders) {
        self.init()
        replan = { await reminders.replan() }
        let report = report
        clearReminders = {
            do throws(BelfryKitError) {
                try await reminders.cancelAll(removingDelivered: true)
            } catch {
                report(error)
            }
        }
    }
}
