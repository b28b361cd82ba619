internal import Foundation
internal import Recurrence
internal import UserNotifications

/// The notification centre as the reminders use it: values go in and come out, the system's objects stay inside.
///
/// Sendable: a centre may be used on any thread (Apple: UNUserNotificationCenter), and the reference never changes.
struct ReminderCenter: @unchecked Sendable {
    private let center: UNUserNotificationCenter

    init(_ center: UNUserNotificationCenter) {
        self.center = center
    }

    /// Whether requests are kept: the user said yes, or was not asked because it is provisional.
    var mayNotify: Bool {
        get async {
            await withCheckedContinuation { continuation in
                center.getNotificationSettings { settings in
                    let status = settings.authorizationStatus
                    continuation.resume(returning: status != .denied && status != .notDetermined)
                }
            }
        }
    }

    /// What the planner wants to know of all pending requests.
    var pending: [PendingRequest] {
        get async {
            await withCheckedContinuation { continuation in
                center.getPendingNotificationRequests { requests in
                    continuation.resume(returning: requests.map { PendingRequest($0) })
                }
            }
        }
    }

    /// Adds requests in their order; no error does not mean that they are pending then.
    ///
    /// All are handed over before the first answer: waiting for each would change threads for each.
    ///
    /// - Returns: what went wrong, in words.
    func add(
        _ requests: [(planned: PlannedRequest, content: ReminderContent)], at now: Instant
    ) async
        -> [String]
    {
        guard !requests.isEmpty else { return [] }
        let maker = RequestMaker(now: now)
        return await withCheckedContinuation { continuation in
            let answers = Answers(count: requests.count) { continuation.resume(returning: $0) }
            for (planned, content) in requests {
                do throws(BelfryKitError) {
                    center.add(try maker.request(planned, content)) { error in
                        answers.take(
                            error.map { "\(planned.identifier): request: the system refused it: \($0)" })
                    }
                } catch {
                    answers.take("\(planned.identifier): \(error.message)")
                }
            }
        }
    }

    /// Gathers the answers to requests, and goes on with the last one.
    private final class Answers: Sendable {
        private struct Contents {
            var missing: Int
            var problems: [String] = []
        }

        private let contents: Guarded<Contents>
        private let done: @Sendable ([String]) -> Void

        init(count: Int, _ done: @escaping @Sendable ([String]) -> Void) {
            contents = Guarded(Contents(missing: count))
            self.done = done
        }

        func take(_ problem: String?) {
            let problems = contents.withLock { contents -> [String]? in
                contents.missing -= 1
                if let problem { contents.problems.append(problem) }
                return contents.missing == 0 ? contents.problems : nil
            }
            if let problems { done(problems) }
        }
    }

    /// Takes pending requests back.
    ///
    /// The system does it later, but before it answers a question that comes after.
    func removePending(_ identifiers: [String]) {
        center.removePendingNotificationRequests(withIdentifiers: identifiers)
    }

    /// Identifiers of the planner's notifications that are in the list.
    var delivered: Set<String> {
        get async {
            await withCheckedContinuation { continuation in
                center.getDeliveredNotifications { notifications in
                    let identifiers = notifications.map(\.request.identifier)
                    continuation.resume(returning: Set(identifiers.filter { RequestIdentifier.isOurs($0) }))
                }
            }
        }
    }

    /// Takes what reminders have shown out of the list.
    func removeDelivered(ofKeys isWanted: @Sendable (String) -> Bool) async {
        let wanted = await delivered.filter { RequestIdentifier.key(of: $0).map(isWanted) ?? false }
        if !wanted.isEmpty { center.removeDeliveredNotifications(withIdentifiers: wanted.sorted()) }
    }
}

extension PendingRequest {
    init(_ request: UNNotificationRequest) {
        self.init(identifier: request.identifier)
        guard RequestIdentifier.isOurs(identifier),
            let members = request.content.userInfo[RequestUserInfo.key] as? [String: Any]
        else { return }
        mark = members[RequestUserInfo.mark] as? String
        instant = (members[RequestUserInfo.instant] as? String).flatMap { Instant(iso8601: $0) }
    }
}
