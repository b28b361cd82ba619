internal import PushService
internal import PushStore

/// The log lines of a push service about pushes and delivery; docs/monitoring.md lists them.
struct ServiceLog: Sendable {
    let log: Log

    func write(_ event: DeliveryService.Event) {
        switch event {
        case .ended(let push):
            log.info("push ended", ["push": push.objectID, "state": push.state.rawValue])
        case .pushStopped(let push, let app, let reason):
            log.error("a fault has stopped a push", ["push": push, "app": app, "reason": reason])
        case .failed(let error, let push?):
            log.error("delivery failed, will try again", ["push": push, "error": error])
        case .failed(let error, nil):
            log.error("delivery failed, will try again", ["error": error])
        case .stopped(let reason): log.error("takes no more work", ["reason": reason])
        case .resumed: log.info("takes work again")
        case .stored: break
        }
    }

    func write(_ act: PushAct) {
        switch act.kind {
        case .accepted: log.info("push accepted", ["push": act.id, "app": act.app, "by": act.actor])
        case .paused: log.info("push paused", ["push": act.id, "app": act.app, "by": act.actor])
        case .resumed: log.info("push resumed", ["push": act.id, "app": act.app, "by": act.actor])
        case .cancelled: log.info("push cancelled", ["push": act.id, "app": act.app, "by": act.actor])
        case .deleted: log.info("record deleted", ["record": act.id, "app": act.app, "by": act.actor])
        case .deletedMessage:
            log.info("scheduled message deleted", ["message": act.id, "app": act.app, "by": act.actor])
        }
    }
}
