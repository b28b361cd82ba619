import FoundationEssentials
import PushService
import PushStore
import Synchronization
import Testing

@testable import belfry

@Suite struct ServiceLogTests {
    private static func lines(_ body: (ServiceLog) -> Void) -> [String] {
        let lines = LogTests.Lines()
        body(
            ServiceLog(
                log: Log(
                    now: { Date(timeIntervalSince1970: 1_700_000_000) }, write: { lines.append($0) })))
        return lines.all.map { String($0.dropFirst("time=2023-11-14T22:13:20.000Z ".count)) }
    }

    @Test func `a push that a fault has stopped is a line of level error with push, app and reason`() {
        let lines = Self.lines { log in
            log.write(
                .pushStopped(
                    push: "AbCdEfGh01234567", app: "news",
                    reason: "APNs refused the push: TopicDisallowed (400)"))
        }
        #expect(
            lines == [
                #"level=error msg="a fault has stopped a push" push=AbCdEfGh01234567 app=news "#
                    + #"reason="APNs refused the push: TopicDisallowed (400)""#
            ])
    }

    @Test func `a failure names its push where that is known`() {
        let lines = Self.lines { log in
            log.write(.failed("sending: no answer", push: "AbCdEfGh01234567"))
            log.write(.failed("scheduling: no answer"))
        }
        #expect(
            lines == [
                #"level=error msg="delivery failed, will try again" push=AbCdEfGh01234567 error="sending: no answer""#,
                #"level=error msg="delivery failed, will try again" error="scheduling: no answer""#,
            ])
    }

    @Test func `outcomes that were stored are no line`() {
        #expect(
            Self.lines { $0.write(.stored(app: "news", outcomes: [.accepted: 1], retryCount: 0)) } == [])
    }
}
