internal import PushService
internal import PushStore
internal import Recurrence
internal import Transport

/// What is sent later: pushes whose time has not come, and schedules with their next times in each zone.
enum SchedulesPage {
    /// How many are shown.
    private static let countMax = 50

    static func show(_ console: Console, _ visit: Visit) async throws -> HTTPResponse {
        let app = try visit.ofApp
        let pushes = try await console.store.scheduledPushes(app: app.number)
        var page = Page(visit(.schedules), .schedules) {
            if pushes.isEmpty {
                div(.class("card empty")) {
                    h2 { visit(.noSchedules) }
                    p { visit(.noSchedulesLead) }
                }
            }
            for push in pushes.prefix(countMax) { card(push, app, visit) }
            if pushes.count > countMax {
                p(.class("muted")) { visit(.moreSchedules, count: pushes.count - countMax) }
            }
        }
        if visit.may(.sender) {
            page.actions = [
                a(.class("button primary"), .href(Link("apps", app.id, "compose"))) { visit(.compose) }
            ]
        }
        return console.frame(page, visit)
    }

    private static func card(_ push: Push, _ app: App, _ visit: Visit) -> Node {
        let text = MessageText(push.request.data)
        return section(.class("card")) {
            div(.class("page-line")) {
                h2 {
                    a(.href(Link("apps", app.id, "pushes", push.objectID))) {
                        text.line ?? visit(.silentPush)
                    }
                }
                if visit.may(.sender) {
                    form(
                        .class("inline"), .method("post"),
                        .action(Link("apps", app.id, "schedules", String(push.number), "cancel")),
                        .data("confirm", visit(.cancelQuestion))
                    ) {
                        visit.formToken
                        button(.class("danger"), .type("submit")) { visit(.cancel) }
                    }
                }
            }
            dl(.class("facts")) {
                dt { visit(.audience) }
                dd { AudienceText.text(push.request, visit) }
                dt { visit(.time) }
                dd { AudienceText.time(push.request, visit) }
                dt { visit(.due) }
                dd { visit.time(push.dueAt) }
            }
            if let schedule = push.request.schedule { times(schedule, push, visit) }
        }
    }

    private static func times(_ schedule: PushSchedule, _ push: Push, _ visit: Visit) -> Node {
        do throws(StoreError) {
            return try FireTimes(schedule, createdAt: push.createdAt, now: visit.now)
                .rendered(visit, of: "\(MessageText(push.request.data).line ?? "") \(push.objectID)")
        } catch {
            return p(.class("notice warn")) { ErrorText.text(error.message, in: visit.language) }
        }
    }

    static func cancel(_ console: Console, _ visit: Visit) async throws -> HTTPResponse {
        let app = try visit.ofApp
        _ = try await console.api.perform(
            "DELETE", "/1.1/scheduledPushMessages/\(visit.parameters["number"])", app: app,
            actor: visit.actor)
        return ConsoleHeaders.redirect(to: Link("apps", app.id, "schedules"))
    }
}
