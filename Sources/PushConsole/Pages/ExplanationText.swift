internal import APNs
internal import PushService
internal import PushStore
internal import Recurrence

/// Why a step of an explanation is as it is, in the console's languages.
enum ExplanationText {
    /// Some reasons as one line.
    static func line(_ reasons: [ExplanationReason], _ visit: Visit) -> String {
        var line = ""
        for reason in reasons {
            let text = phrase(reason.kind).text(in: visit.language, values(reason, visit))
            line += (line.isEmpty ? "" : separator(reason.kind, visit.language)) + text
        }
        return line
    }

    private static func separator(_ kind: ExplanationReason.Kind, _ language: Language) -> String {
        guard language == .chinese else { return kind.separator }
        return switch kind.separator {
        case " ": ""
        case ", ": "，"
        default: "；"
        }
    }

    /// The values, with those that have names here under these names.
    private static func values(_ reason: ExplanationReason, _ visit: Visit) -> [String] {
        var values = reason.values
        switch reason.kind {
        case .pushState, .pushStopped:
            if let state = values.first.flatMap(Push.State.init(rawValue:)) {
                values[0] = visit(OutcomeText.state(state).phrase)
            }
        case .environment, .environmentDiffers:
            values = values.map { value in
                Environment(rawValue: value).map { EnvironmentText.text($0, visit) } ?? value
            }
        case .answer, .answerDetail:
            if let outcome = (0...UInt8.max).lazy.map(DeviceOutcome.init(rawValue:)).first(
                where: { $0.name == values.first })
            {
                values[0] = OutcomeText.name(outcome, visit.language)
            }
        case .installationSaved, .batch, .requestSince, .receivedAt, .openedAt:
            values = values.map { value in Instant(iso8601: value).map(Visit.text(toSecond:)) ?? value }
        default: break
        }
        return values
    }

    private static func phrase(_ kind: ExplanationReason.Kind) -> Phrase {
        switch kind {
        case .pushState: .whyValue
        case .pushStopped: .whyPushStopped
        case .installationGone: .whyInstallationGone
        case .installationUnknown: .whyInstallationUnknown
        case .installationSaved: .whyInstallationSaved
        case .broadcast: .whyBroadcast
        case .tokenNamed: .whyTokenNamed
        case .tokenNotNamed: .whyTokenNotNamed
        case .fieldFails: .whyFieldFails
        case .fieldFailsMissing: .whyFieldFailsMissing
        case .fieldForbidden: .whyFieldForbidden
        case .fieldForbiddenMissing: .whyFieldForbiddenMissing
        case .channelsDiffer: .whyChannelsDiffer
        case .notTest: .whyNotTest
        case .matches: .whyMatches
        case .matchedThen: .whyMatchedThen
        case .optedIn: .whyOptedIn
        case .optedOut: .whyOptedOut
        case .token: .whyToken
        case .tokenMissing: .whyTokenMissing
        case .tokenMalformed: .whyTokenMalformed
        case .environment: .whyValue
        case .environmentDiffers: .whyEnvironmentDiffers
        case .environmentUnknown: .whyEnvironmentUnknown
        case .credentialFits: .whyCredentialFits
        case .credentialMissing: .whyCredentialMissing
        case .forTeam: .whyForTeam
        case .forProfile: .whyForProfile
        case .batchNever: .whyBatchNever
        case .batchNotYet: .whyBatchNotYet
        case .batch: .whyBatch
        case .claimedAgain: .whyClaimedAgain
        case .requestSince: .whyRequestSince
        case .requestNotYet: .whyRequestNotYet
        case .answer: .whyValue
        case .answerDetail: .whyAnswerDetail
        case .receivedAt: .whyReceivedAt
        case .notReceived: .whyNotReceived
        case .openedAt: .whyOpenedAt
        case .notOpened: .whyNotOpened
        }
    }
}
