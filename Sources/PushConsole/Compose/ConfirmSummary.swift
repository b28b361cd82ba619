internal import PushStore

/// A push in a few lines, before it is sent.
struct ConfirmSummary {
    let request: PushRequest
    let visit: Visit

    var node: Node {
        let text = MessageText(request.data)
        return dl(.class("facts")) {
            dt { visit(.message) }
            dd {
                strong { text.line ?? visit(.silentPush) }
                if text.title != nil, let body = text.body { span(.class("sub")) { body } }
            }
            dt { visit(.audience) }
            dd { AudienceText.text(request, visit) }
            if let filter = request.filter {
                dt { visit(.condition) }
                dd { code { JSONText.line(filter.json) } }
            }
            dt { visit(.environment) }
            dd { EnvironmentText.text(request.environment, visit) }
            dt { visit(.time) }
            dd { AudienceText.time(request, visit) }
        }
    }
}
