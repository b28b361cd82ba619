internal import Foundation
public import UserNotifications

/// What a notification service extension does with a push: it lets the push speak, and tells the push service that it arrived.
///
/// What is shown is never lost, whatever fails or takes too long.
///
///     final class NotificationService: UNNotificationServiceExtension {
///         private let work = ServiceExtensionWork(receipts: …, sounds: …) { push in
///             push.payload["amount"]?.text.map { [.piece("received"), .amount($0, .chinese), .piece("yuan")] }
///         }
///         override func didReceive(_ request: …, withContentHandler contentHandler: …) {
///             work.receive(request, contentHandler)
///         }
///         override func serviceExtensionTimeWillExpire() { work.expire() }
///     }
///
/// Sendable: contents and handlers are behind a lock, and taken out before they are used.
public final class ServiceExtensionWork: @unchecked Sendable {
    /// What a push says; nil for one that plays what it brought.
    public typealias Phrases = @Sendable (ReceivedNotification) -> [SpokenPhrase]?

    private struct Waiting {
        var content: UNNotificationContent
        var handler: (UNNotificationContent) -> Void
    }

    private let receipts: DeliveryReceipts?
    private let sounds: SpokenSounds?
    private let time: any DeviceTime
    private let phrases: Phrases
    private let report: @Sendable (BelfryKitError) -> Void
    private let lock = NSLock()
    private var waiting: [Int: Waiting] = [:]
    private var count = 0

    /// Makes the work of an extension; one object serves all pushes that the process gets.
    ///
    /// - Parameters:
    ///   - receipts: tells the push service; nil for not at all.
    ///   - sounds: the recorded pieces; nil for none.
    ///   - time: the device's clock and zone.
    ///   - report: takes what went wrong.
    ///   - phrases: what a push says.
    public init(
        receipts: DeliveryReceipts?, sounds: SpokenSounds? = nil, time: any DeviceTime = SystemTime(),
        report: @escaping @Sendable (BelfryKitError) -> Void = { _ in },
        phrases: @escaping Phrases
    ) {
        self.receipts = receipts
        self.sounds = sounds
        self.time = time
        self.report = report
        self.phrases = phrases
    }

    /// A push came.
    ///
    /// - Parameters:
    ///   - request: what the system gave.
    ///   - contentHandler: takes what is shown, once.
    ///   - change: changes the content further; called before this returns.
    public func receive(
        _ request: UNNotificationRequest, _ contentHandler: @escaping (UNNotificationContent) -> Void,
        change: (UNMutableNotificationContent) -> Void = { _ in }
    ) {
        let push = ReceivedNotification(request, date: time.now)
        var content = request.content
        if let changed = request.content.mutableCopy() as? UNMutableNotificationContent {
            if let sounds, let phrases = phrases(push), let failure = sounds.speak(phrases, in: changed) {
                report(failure)
            }
            change(changed)
            content = changed
        }
        lock.lock()
        count += 1
        let number = count
        waiting[number] = Waiting(content: content, handler: contentHandler)
        lock.unlock()
        guard let receipts else {
            finish(number)
            return
        }
        // Noted before this returns: the process may end as soon as the push is shown.
        receipts.note(push)
        // Ends with the receipt, or does not matter any more once the time is over.
        Task { [self] in
            await receipts.send()
            finish(number)
        }
    }

    /// The time is over: what is ready is shown.
    public func expire() {
        lock.lock()
        let numbers = Array(waiting.keys)
        lock.unlock()
        for number in numbers { finish(number) }
    }

    /// Shows a push, once.
    private func finish(_ number: Int) {
        lock.lock()
        let found = waiting.removeValue(forKey: number)
        lock.unlock()
        if let found { found.handler(found.content) }
    }
}
