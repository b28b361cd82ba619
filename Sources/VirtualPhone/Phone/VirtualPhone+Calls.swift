internal import APNs
internal import Foundation
internal import Synchronization
internal import UserNotifications

/// VoIP pushes, as PushKit hands them to an app.
extension VirtualPhone {
    func registerForVoIP(_ app: String) {
        begin {
            guard self.hasCallMode(app) else {
                return self.change {
                    $0.log(.diagnosis, app: app, "VoIP pushes need the background mode voip")
                }
            }
            guard let token = await self.token(of: app, "voip", "") else { return }
            self.change { contents in
                contents.slots[app]?.voipToken = token
                contents.call(app, .didUpdateVoIPToken(Data(token.bytes)))
            }
        }
    }

    private func hasCallMode(_ app: String) -> Bool {
        contents.withLock { $0.slots[app]?.manifest.backgroundModes.contains(.voip) == true }
    }

    func reportCall(from handle: String, to app: String) {
        change { contents in
            contents.slots[app]?.reportedCallCount += 1
            contents.log(.call, app: app, handle)
        }
    }

    /// A VoIP push came: it always goes to the app, and nothing is shown unless the app reports a call.
    func receiveIncomingPush(_ request: RequestRecord, for app: String) {
        change { contents in
            contents.log(.received, app: app, "\(request.identifier), voip")
            guard let slot = contents.slots[app], slot.voipToken != nil else {
                return contents.log(
                    .dropped, app: app, "\(request.identifier): the app has not asked for VoIP pushes")
            }
            let countMax = contents.policy.missedCallCountMax
            guard slot.missedCallCount < countMax else {
                return contents.log(
                    .dropped, app: app,
                    "\(request.identifier): the app has reported no call \(countMax) times in a row")
            }
            contents.slots[app]?.reportedCallCount = 0
            // Swiped away or not: a caller does not wait until the app is opened.
            contents.wake(app, byUser: true, named: "the call \(request.identifier)") {
                .callback(.didReceiveIncomingPush(request), work: $0)
            }
        }
    }
}

extension PhoneContents {
    /// The app is done with a VoIP push: without a call it is terminated.
    mutating func concludeCall(of app: String) {
        guard let slot = slots[app] else { return }
        guard slot.reportedCallCount == 0 else {
            slots[app]?.missedCallCount = 0
            return
        }
        slots[app]?.missedCallCount += 1
        log(.diagnosis, app: app, "a VoIP push has to end in a reported call; the app is terminated")
        apply(.crashed, to: app)
        if front == app { front = nil }
    }
}
