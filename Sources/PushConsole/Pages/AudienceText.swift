internal import APNs
internal import PushStore
internal import Recurrence

/// Whom a push is for and when, in words.
enum AudienceText {
    static func text(_ request: PushRequest, _ visit: Visit) -> String {
        var parts: [String] = []
        if let tokens = request.deviceTokens { return visit(.tokensCount, count: tokens.count) }
        if let channels = request.channels {
            parts.append(visit(.inChannels, channels.joined(separator: ", ")))
        }
        if request.filter != nil { parts.append(visit(.byCondition)) }
        if request.isTest { parts.append(visit(.testDevicesOnly)) }
        return parts.isEmpty ? visit(.everyone) : parts.joined(separator: " · ")
    }

    static func time(_ request: PushRequest, _ visit: Visit) -> String {
        if let schedule = request.schedule {
            switch schedule.zone {
            case .device: return "\(schedule.rule) · \(visit(.onDeviceClock))"
            case .named(let zone): return "\(schedule.rule) · \(zone)"
            }
        }
        switch request.time {
        case .now: return visit(.atOnce)
        case .at(let instant): return Visit.text(instant)
        case .local(let civil):
            return "\(civil.iso8601.prefix(16).replacing("T", with: " ")) · \(visit(.onDeviceClock))"
        }
    }
}

/// What environments are called.
enum EnvironmentText {
    static func text(_ environment: Environment?, _ visit: Visit) -> String {
        switch environment {
        case .production: visit(.production)
        case .sandbox: visit(.sandbox)
        case nil: visit(.anyEnvironment)
        }
    }
}
