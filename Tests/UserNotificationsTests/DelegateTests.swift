import Foundation
import Recurrence
import Testing

import UserNotifications

/// What a delegate was told.
@MainActor
private final class Journal {
    var lines: [String] = []
}

private final class CompletionDelegate: NSObject, UNUserNotificationCenterDelegate, @unchecked Sendable {
    @MainActor let journal = Journal()

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
    ) {
        MainActor.assumeIsolated { journal.lines.append("present \(notification.request.identifier)") }
        completionHandler([.banner])
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) {
        MainActor.assumeIsolated { journal.lines.append("receive \(response.actionIdentifier)") }
        completionHandler()
    }
}

private final class AsyncDelegate: NSObject, UNUserNotificationCenterDelegate, @unchecked Sendable {
    @MainActor let journal = Journal()

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification
    ) async -> UNNotificationPresentationOptions {
        await MainActor.run { journal.lines.append("present \(notification.request.identifier)") }
        return [.list, .sound]
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse
    ) async {
        await MainActor.run { journal.lines.append("receive \(response.actionIdentifier)") }
    }
}

/// As an app delegate is written in a Swift 6 app: on the main actor.
@MainActor
private final class MainActorDelegate: NSObject, UNUserNotificationCenterDelegate {
    var presented = 0

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification
    ) async -> UNNotificationPresentationOptions {
        presented += 1
        return [.banner, .list]
    }
}

private final class SilentDelegate: NSObject, UNUserNotificationCenterDelegate {}

private final class ForgetfulDelegate: NSObject, UNUserNotificationCenterDelegate {
    func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
    ) {}
}

private final class EagerDelegate: NSObject, UNUserNotificationCenterDelegate {
    func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
    ) {
        completionHandler([.list])
        completionHandler([.banner])
    }
}

@Suite(.timeLimit(.minutes(5))) struct DelegateTests {
    private static func foreground() async throws -> Device {
        let device = try await Device.allowed()
        device.host.surroundings.isForeground = true
        return device
    }

    @Test func `a delegate with completion handlers is called`() async throws {
        let device = try await Self.foreground()
        let delegate = CompletionDelegate()
        device.center.delegate = delegate
        try await device.center.add(request("a", nil))
        await device.settle()
        let presentation = try #require(device.host.shown.first?.presentation)
        #expect(presentation.showsBanner && !presentation.isListed && !presentation.playsSound)
        #expect(await device.deliveredIdentifiers() == [])
        #expect(await delegate.journal.lines == ["present a"])
    }

    @Test func `a delegate with async functions is called`() async throws {
        let device = try await Self.foreground()
        let delegate = AsyncDelegate()
        device.center.delegate = delegate
        try await device.center.add(request("a", nil))
        await device.settle()
        let presentation = try #require(device.host.shown.first?.presentation)
        #expect(!presentation.showsBanner && presentation.isListed && presentation.playsSound)
        device.host.link?.tap("a")
        await device.settle()
        #expect(
            await delegate.journal.lines == ["present a", "receive \(UNNotificationDefaultActionIdentifier)"])
        #expect(await device.deliveredIdentifiers() == [])
    }

    @Test func `a delegate on the main actor is called there`() async throws {
        let device = try await Self.foreground()
        let delegate = await MainActor.run {
            let delegate = MainActorDelegate()
            device.center.delegate = delegate
            return delegate
        }
        try await device.center.add(request("a", nil))
        await device.settle()
        #expect(await delegate.presented == 1)
        #expect(await device.deliveredIdentifiers() == ["a"])
    }

    @Test func `a delegate without the function shows nothing in the foreground`() async throws {
        let device = try await Self.foreground()
        let delegate = SilentDelegate()
        device.center.delegate = delegate
        try await device.center.add(request("a", nil))
        await device.settle()
        #expect(device.host.shown.isEmpty)
        withExtendedLifetime(delegate) {}
    }

    @Test func `without a delegate the policy decides`() async throws {
        let device = try await Self.foreground()
        try await device.center.add(request("a", nil))
        await device.settle()
        #expect(device.shownIdentifiers == ["a"])
        device.host.policy.withoutDelegate = .hides
        try await device.center.add(request("b", nil))
        await device.settle()
        #expect(device.shownIdentifiers == ["a"])
    }

    @Test func `a completion handler that is thrown away means nothing is shown`() async throws {
        let device = try await Self.foreground()
        let delegate = ForgetfulDelegate()
        device.center.delegate = delegate
        try await device.center.add(request("a", nil))
        await device.settle()
        #expect(device.host.shown.isEmpty)
        withExtendedLifetime(delegate) {}
    }

    @Test func `only the first call of a completion handler counts`() async throws {
        let device = try await Self.foreground()
        let delegate = EagerDelegate()
        device.center.delegate = delegate
        try await device.center.add(request("a", nil))
        await device.settle()
        #expect(device.host.shown.map(\.presentation.isListed) == [true])
        #expect(device.host.shown.map(\.presentation.showsBanner) == [false])
        withExtendedLifetime(delegate) {}
    }

    @Test func `the delegate is held weakly`() async throws {
        let device = try Device()
        do {
            let delegate = SilentDelegate()
            device.center.delegate = delegate
            #expect(device.center.delegate === delegate)
        }
        #expect(device.center.delegate == nil)
    }

    @Test func `two apps in one process each find their own centre`() async throws {
        let first = try await Device.allowed()
        let second = try await Device.allowed()
        try await UNUserNotificationCenter.withCurrent(first.center) {
            try await UNUserNotificationCenter.current().add(request("one", daily(9)))
        }
        try await UNUserNotificationCenter.withCurrent(second.center) {
            try await UNUserNotificationCenter.current().add(request("two", daily(9)))
            await withCheckedContinuation { continuation in
                // Also inside a completion handler, which runs on a queue.
                UNUserNotificationCenter.current().getNotificationSettings { _ in
                    #expect(UNUserNotificationCenter.current() === second.center)
                    continuation.resume()
                }
            }
        }
        #expect(await first.pendingIdentifiers() == ["one"])
        #expect(await second.pendingIdentifiers() == ["two"])
    }
}
