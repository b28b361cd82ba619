import Foundation
import Testing
import UserNotifications
import UserNotificationsUI

/// A view controller without UIKit: what of an extension's source is left on Linux.
@MainActor
private final class ContentExtension: NSObject, UNNotificationContentExtension {
    var title = ""
    let context = NSExtensionContext()

    func didReceive(_ notification: UNNotification) {
        title = notification.request.content.title
        context.notificationActions = [UNNotificationAction(identifier: "more", title: "More")]
    }
}

@MainActor @Suite struct ContentExtensionTests {
    @Test func `an extension's source compiles and can be called`() async throws {
        let device = try await Device.allowed()
        try await device.center.add(request("a", nil, content: content("hello")))
        await device.settle()
        let shown = try #require(device.host.shown.first?.notification)
        let view = ContentExtension()
        view.didReceive(shown)
        #expect(view.title == "hello" && view.context.notificationActions.count == 1)
        #expect(view.mediaPlayPauseButtonType == .none && view.mediaPlayPauseButtonFrame == .zero)
        #expect(view.mediaPlayPauseButtonTintColor == .white)
        var (red, alpha): (CGFloat, CGFloat) = (0, 0)
        UIColor(red: 0.25, green: 0, blue: 0, alpha: 1).withAlphaComponent(0.5)
            .getRed(&red, green: nil, blue: nil, alpha: &alpha)
        #expect(red == 0.25 && alpha == 0.5 && UIColor.red != .green)
        view.context.mediaPlayingStarted()
        #expect(view.context.isMediaPlaying)
        let buttons: [UNNotificationContentExtensionMediaPlayPauseButtonType] = [.none, .default, .overlay]
        let options: [UNNotificationContentExtensionResponseOption] = [
            .doNotDismiss, .dismiss, .dismissAndForwardAction,
        ]
        #expect(buttons.map(\.rawValue) == [0, 1, 2] && options.map(\.rawValue) == [0, 1, 2])
    }
}
