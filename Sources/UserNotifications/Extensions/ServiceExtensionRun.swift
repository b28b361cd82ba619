internal import Synchronization

/// Runs a service extension for one remote notification.
///
/// `start` returns when the extension's function does; its answer may come later, from any thread. Who runs it calls
/// `expire` when 30 s are over by the device's clock.
package final class ServiceExtensionRun: Sendable {
    private let machine: Mutex<ServiceExtensionMachine>
    // Only called, never read: the app's class guards its own state, as it must on iOS, where the end of the time is
    // told on another thread as well.
    nonisolated(unsafe) private let serviceExtension: UNNotificationServiceExtension
    private let request: RequestRecord
    private let completion: @Sendable (ServiceExtensionMachine.Outcome) -> Void

    /// - Parameter completion: called once, with what becomes of the notification.
    package init(
        _ serviceExtension: UNNotificationServiceExtension, request: RequestRecord, mayFilter: Bool = false,
        completion: @escaping @Sendable (ServiceExtensionMachine.Outcome) -> Void
    ) {
        self.serviceExtension = serviceExtension
        self.request = request
        self.completion = completion
        machine = Mutex(ServiceExtensionMachine(original: request.content, mayFilter: mayFilter))
    }

    package func start() {
        serviceExtension.didReceive(UNNotificationRequest(record: request)) { [self] content in
            let record = content.record
            if let outcome = machine.withLock({ $0.receive(record) }) { completion(outcome) }
        }
    }

    /// The time is over: the extension is told, and the original is shown unless it answers now.
    package func expire() {
        guard machine.withLock({ $0.expire() }) else { return }
        serviceExtension.serviceExtensionTimeWillExpire()
        if let outcome = machine.withLock({ $0.finish() }) { completion(outcome) }
    }
}
